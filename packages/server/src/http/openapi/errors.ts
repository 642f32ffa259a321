import { ERROR_STATUS, type ErrorCode } from '@decision-ledger/contract/errors';
import { STATUS_CODES } from '@decision-ledger/contract/otlp';
import type { FastifyContextConfig } from 'fastify';
import { type Members, type Node, pascalCase } from './components.js';

/** What decides which errors a route can answer with. */
interface Route {
  readonly config: FastifyContextConfig;
  readonly takesIdempotencyKey: boolean;
  readonly hasBody: boolean;
  readonly hasId: boolean;
  readonly takesIfMatch: boolean;
}

/** The error codes of a route: those that its features imply, and those that it declares itself. */
export function errorsOf({
  config,
  takesIdempotencyKey,
  hasBody,
  hasId,
  takesIfMatch,
}: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['malformed_request', ...(config.errors ?? [])]);
  if (config.permission !== undefined) {
    for (const code of KEYED) codes.add(code);
  }
  if (hasBody) for (const code of WITH_BODY) codes.add(code);
  if (takesIdempotencyKey) codes.add('idempotency_conflict');
  if (takesIfMatch) codes.add('precondition_failed');
  if (hasId) codes.add('not_found');
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || (a < b ? -1 : 1));
}

/** Every route with a permission checks the key, its input and its rate limit, and reads the database. */
const KEYED = [
  'unauthorized',
  'forbidden',
  'validation_error',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

const WITH_BODY = ['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const;

/** The example message of each error. */
const EXAMPLE_MESSAGES: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'invalid JSON at line 1, column 12: unexpected "}"',
  unauthorized: 'invalid or missing api key',
  forbidden: 'this key lacks the permission review',
  not_found: 'no such decision',
  method_not_allowed: 'this path allows GET, HEAD',
  request_timeout: 'the request did not arrive in time',
  conflict: 'links that people created or confirmed take the whole event: delete one of them first',
  idempotency_conflict: 'this Idempotency-Key was used for another request',
  invalid_state: 'the link was reviewed already',
  export_not_ready: 'the export is not complete yet',
  gone: 'the export has expired: request it again',
  precondition_failed:
    'the settings changed after you read them: get them again with GET /settings',
  payload_too_large: 'the body is larger than 1048576 bytes',
  unsupported_media_type: 'send JSON with Content-Type: application/json',
  expectation_failed: 'only 100-continue can be expected',
  validation_error: 'the request is not valid: see confidence',
  too_late:
    'nothing was recorded: timestamp must not be more than 86400 seconds before the time of recording',
  rate_limited: 'more than 100 requests a second',
  internal_error: 'an internal error occurred and was logged',
  unavailable: 'the database is busy',
};

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
