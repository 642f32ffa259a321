import { LedgerError, unauthorized } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../platform/principal.js';
import type { Scope } from '../platform/scope.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { Limiter } from './rate-limit/limiter.js';
import type { Bucket, Http } from './types.js';

export interface Gatekeepers {
  readonly authenticator: { authenticate(text: string): Promise<Principal | null> };
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly limiter: Limiter;
  readonly onRateLimited?: (bucket: Bucket) => void;
}

const FIGURE = {
  ingest: 'ingest_per_second',
  batch: 'batch_per_second',
  read: 'read_per_second',
  webhook: 'ingest_per_second',
} as const satisfies Record<Bucket, keyof Settings['rate_limits']>;

/** Before anything of the body is read: who asks, may they, and have they asked too often. */
export function addAuthorization(app: Http, gatekeepers: Gatekeepers): void {
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const { permission, bucket } = request.routeOptions.config;
    if (permission === undefined || isSigned(request)) return;
    const principal = await identify(gatekeepers, request);
    request.principal = principal;
    if (!principal.permissions.has(permission)) {
      throw new LedgerError('forbidden', `this key lacks the permission ${permission}`);
    }
    if (bucket !== undefined) await count(gatekeepers, principal, bucket, reply);
  });
}

function isSigned({ query, routeOptions }: FastifyRequest): boolean {
  const { signedQuery = false } = routeOptions.config;
  return signedQuery && Reflect.get(Object(query), 'signature') !== undefined;
}

async function identify(
  { authenticator }: Gatekeepers,
  request: FastifyRequest,
): Promise<Principal> {
  const text = keyOf(request);
  const principal = typeof text === 'string' ? await authenticator.authenticate(text) : null;
  if (principal === null) throw unauthorized();
  return principal;
}

/** Where a caller cannot send our header, its route takes the key from the query. */
function keyOf(request: FastifyRequest): unknown {
  const { headers, query, routeOptions } = request;
  const text = headers['x-ledger-key'];
  if (text !== undefined || routeOptions.config.keyInQuery !== true) return text;
  return Reflect.get(Object(query), 'key');
}

async function count(
  { settings, limiter, onRateLimited }: Gatekeepers,
  { scope }: Principal,
  bucket: Bucket,
  reply: FastifyReply,
): Promise<void> {
  const limit = (await settings.get(scope)).rate_limits[FIGURE[bucket]];
  const decision = await limiter.take(scope.orgId, bucket, limit);
  void reply.headers(rateLimitHeaders(bucket, decision));
  if (decision.allowed) return;
  onRateLimited?.(bucket);
  throw new LedgerError('rate_limited', `more than ${limit} ${bucket} requests a second`);
}
