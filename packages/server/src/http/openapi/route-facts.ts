import type { ErrorCode } from '@decision-ledger/contract/errors';
import type { FastifyContextConfig } from 'fastify';
import { errorsOf } from './errors.js';
import { type SecurityScheme, securityOf } from './security.js';

/** What the description of an operation says besides its schemas. */
export interface RouteFacts {
  readonly permission: string | null;
  readonly security: readonly SecurityScheme[];
  readonly errors: readonly ErrorCode[];
  readonly takesIdempotencyKey: boolean;
  readonly signsReceipts: boolean;
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
    signsReceipts: config.signsReceipts === true,
    takesIfMatch,
    isTagged,
    isLimited: config.bucket !== undefined || config.handshake === true,
    isBodyOptional: config.hasOptionalBody === true,
    answersStatus: config.answersStatus === true,
    openFilter: Object.keys(patterns)[0] ?? null,
  };
}
