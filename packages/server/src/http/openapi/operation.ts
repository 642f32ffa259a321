import type { ErrorCode } from '@decision-ledger/contract/errors';
import type { FastifyContextConfig } from 'fastify';
import type { Preference } from '../request-headers.js';
import {
  exampleOfContent,
  type Members,
  mapMembers,
  membersOf,
  type Node,
  plainJson,
} from './components.js';
import { envelopeContent, errorResponses, errorsOf, statusContent } from './errors.js';
import { GUARANTEES } from './guarantees.js';
import {
  IDEMPOTENCY_KEY,
  IF_MATCH,
  preferenceApplied,
  preferHeader,
  type SecurityScheme,
  securityOf,
} from './header.js';

/** Completes a generated operation: its errors, headers, security, parameters and examples. */
export function describeOperation(generated: Members, facts: RouteFacts): Members {
  const { parameters, requestBody, responses, ...operation } = generated;
  const listed = [
    ...(Array.isArray(parameters) ? parameters : []),
    ...(facts.openFilter === null ? [] : [describeOpenFilter(facts.openFilter)]),
    ...(facts.takesIdempotencyKey ? [plainJson(IDEMPOTENCY_KEY)] : []),
    ...(facts.preference === null ? [] : [plainJson(preferHeader(facts.preference))]),
    ...(facts.takesIfMatch ? [plainJson(IF_MATCH)] : []),
  ];
  const text = [GUARANTEES[String(operation.operationId)], permissionText(facts.permission)]
    .filter(Boolean)
    .join(' ');
  return {
    ...operation,
    ...(text !== '' && { description: text }),
    ...(listed.length > 0 && { parameters: listed }),
    ...(requestBody !== undefined && { requestBody: describeBody(membersOf(requestBody), facts) }),
    responses: {
      ...mapMembers(responses, (response, status) =>
        describeAnswer(membersOf(response), status, facts),
      ),
      ...errorResponses(facts.errors, facts.answersStatus ? statusContent : envelopeContent),
      ...('101' in membersOf(responses) && { default: UNSWITCHED }),
    },
    security: facts.security.map((scheme) => ({ [scheme]: [] })),
  };
}

/** Parameters whose names are not known beforehand, such as `metadata.order_id=A-1001`. */
function describeOpenFilter(pattern: string): Node {
  return {
    name: 'metadata',
    in: 'query',
    required: false,
    description: 'Filters by members of the metadata: `metadata.<key>=<JSON text of the scalar>`.',
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern },
      additionalProperties: { type: 'string', maxLength: 1000 },
    },
    example: { 'metadata.order_id': 'A-1001' },
  };
}

function permissionText(permission: string | null): string {
  if (permission === null) return '';
  if (permission === 'any') return 'Any key will do that may do more than record decisions.';
  if (permission === 'record') return 'Needs the permission `record` or `ingest`.';
  return `Needs the permission \`${permission}\`.`;
}

function describeBody(body: Members, { isBodyOptional }: RouteFacts): Members {
  return {
    ...body,
    required: !isBodyOptional,
    content: mapMembers(body.content, (media) => exampleOfContent(membersOf(media))),
  };
}

/** A client that does not switch protocols has no other answer to expect. */
const UNSWITCHED: Node = {
  description: 'The connection did not become a WebSocket.',
  headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  101: 'The connection is now a WebSocket.',
  200: 'The answer.',
  201: 'It was created.',
  202: 'It was accepted and is processed in the background.',
};

function describeAnswer(response: Members, status: string, facts: RouteFacts): Members {
  const { description, content } = response;
  const isGiven = typeof description === 'string' && description !== 'Default Response';
  const types = Object.keys(membersOf(content));
  return {
    ...response,
    description: isGiven ? description : (DESCRIPTIONS[status] ?? 'The answer.'),
    headers: { ...membersOf(response.headers), ...headersOf(facts, types) },
    ...(content !== undefined && {
      content: mapMembers(content, (media) => exampleOfContent(membersOf(media))),
    }),
  };
}

function headersOf(facts: RouteFacts, types: readonly string[]): Members {
  const header = (name: string): Node => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-ID': header('RequestId'),
    ...(facts.isLimited && {
      RateLimit: header('RateLimit'),
      'RateLimit-Policy': header('RateLimitPolicy'),
    }),
    ...(facts.takesIdempotencyKey && { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
    ...(facts.preference !== null && {
      'Preference-Applied': plainJson(preferenceApplied(facts.preference)),
    }),
    ...(facts.isTagged && { ETag: header('ETag') }),
    ...(types.includes('text/csv') && { 'X-Next-Cursor': header('NextCursor') }),
  };
}

/** What the description of an operation says besides its schemas. */
export interface RouteFacts {
  readonly permission: string | null;
  readonly security: readonly SecurityScheme[];
  readonly errors: readonly ErrorCode[];
  readonly takesIdempotencyKey: boolean;
  readonly preference: Preference | null;
  readonly takesIfMatch: boolean;
  /** Whether answers have an ETag. */
  readonly isTagged: boolean;
  /** Whether answers state the rate limit. */
  readonly isLimited: boolean;
  readonly isBodyOptional: boolean;
  /** Whether failures are a google.rpc.Status. */
  readonly answersStatus: boolean;
  /** The pattern of query parameters whose names are not fixed; null if there are none. */
  readonly openFilter: string | null;
}

/** The parts of a route that decide its facts. */
export interface Route {
  readonly url: string;
  readonly method: string;
  readonly body?: unknown;
  readonly querystring?: unknown;
  readonly response?: unknown;
}

export function factsOf(config: FastifyContextConfig, route: Route): RouteFacts {
  const { url, method, body, querystring, response } = route;
  const patterns = Object(Object(querystring).patternProperties);
  const creates = method === 'POST' && '201' in Object(response);
  const takesIdempotencyKey =
    config.permission !== undefined && (config.takesIdempotencyKey ?? creates);
  const isTagged = config.isTagged === true;
  const takesIfMatch = isTagged && method !== 'GET';
  return {
    permission: config.permission ?? null,
    security: securityOf(config),
    errors: errorsOf({
      config,
      takesIdempotencyKey,
      takesIfMatch,
      hasBody: body !== undefined,
      hasId: url.includes(':'),
    }),
    takesIdempotencyKey,
    preference: config.preference ?? null,
    takesIfMatch,
    isTagged,
    isLimited: config.bucket !== undefined || config.handshake === true,
    isBodyOptional: config.hasOptionalBody === true,
    answersStatus: config.answersStatus === true,
    openFilter: Object.keys(patterns)[0] ?? null,
  };
}
