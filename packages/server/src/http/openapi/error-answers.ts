import { ERROR_STATUS, type ErrorCode } from '@decision-ledger/contract/errors';
import { STATUS_CODES } from '@decision-ledger/contract/otlp';
import { type Members, type Node, pascalCase } from './components.js';
import { EXAMPLE_MESSAGES } from './errors.js';

const DETAILS = {
  type: 'object',
  description: '`fields` maps the path of each invalid field to its problems.',
  properties: {
    fields: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
  additionalProperties: true,
} as const;

/** One named schema for each of the error codes. */
export function errorSchemas(errors: readonly ErrorCode[]): Members {
  return Object.fromEntries(
    errors.map((code) => [
      nameOf(code),
      {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message'],
            properties: {
              code: { type: 'string', const: code },
              message: { type: 'string' },
              details: DETAILS,
            },
          },
        },
      },
    ]),
  );
}

/** The content of a failure with one of these codes. */
type ContentOf = (errors: readonly ErrorCode[]) => Members;

/** The responses of an operation that can fail with these codes, by status. */
export function errorResponses(
  errors: readonly ErrorCode[],
  contentOf: ContentOf,
): Record<string, Node> {
  const statuses = [...new Set(errors.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      responseOf(
        errors.filter((code) => ERROR_STATUS[code] === status),
        contentOf,
      ),
    ]),
  );
}

function responseOf(errors: readonly ErrorCode[], contentOf: ContentOf): Node {
  const waits = errors.some((code) => code === 'rate_limited' || code === 'unavailable');
  const requestId = { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } };
  return {
    description: errors.map((code) => `\`${code}\``).join(' or '),
    headers: waits
      ? { ...requestId, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
      : requestId,
    content: contentOf(errors),
  };
}

/** Failures in the envelope of the API. */
export function envelopeContent(errors: readonly ErrorCode[]): Members {
  const references = errors.map((code) => ({ $ref: `#/components/schemas/${nameOf(code)}` }));
  const [only] = references;
  return {
    'application/json': {
      schema: references.length === 1 && only !== undefined ? only : { anyOf: references },
      examples: Object.fromEntries(
        errors.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  };
}

/** Failures as OTLP has them. */
export function statusContent(errors: readonly ErrorCode[]): Members {
  const examples = errors.map((code): [string, Node] => {
    const value = { code: STATUS_CODES[code], message: EXAMPLE_MESSAGES[code] };
    return [code, { value }];
  });
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/OtlpStatus' },
      examples: Object.fromEntries(examples),
    },
    'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
  };
}

/** One example for each of the error codes. */
export function errorExamples(errors: readonly ErrorCode[]): Members {
  return Object.fromEntries(errors.map((code) => [code, { value: exampleOf(code) }]));
}

function exampleOf(code: ErrorCode): Node {
  const error = { code, message: EXAMPLE_MESSAGES[code] };
  if (code !== 'validation_error') return { error };
  return { error: { ...error, details: { fields: { confidence: ['must be from 0 to 1'] } } } };
}

/** `not_found` → `NotFoundError`. */
function nameOf(code: ErrorCode): string {
  return `${pascalCase(code.replace(/_error$/, ''))}Error`;
}
