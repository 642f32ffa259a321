import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../platform/principal.js';
import type { Scope } from '../platform/scope.js';
import { type Credential, credentialOf, type Identifiers, identify } from './identify.js';
import type { HandshakeLimiter } from './rate-limit/handshakes.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { Limiter } from './rate-limit/limiter.js';
import type { Bucket, Http } from './types.js';

export interface Gatekeepers extends Omit<Identifiers, 'onTooManyFailures'> {
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly limiter: Limiter;
  readonly handshakes: HandshakeLimiter;
  readonly onRateLimited: (bucket: Bucket | 'handshake' | 'key_failures') => void;
}

const FIGURE = {
  ingest: 'ingest_per_second',
  batch: 'batch_per_second',
  read: 'read_per_second',
  webhook: 'ingest_per_second',
} as const satisfies Record<Bucket, keyof Settings['rate_limits']>;

/** Before anything of the body is read: who asks, may they, and have they asked too often. */
export function addAuthorization(app: Http, gatekeepers: Gatekeepers): void {
  const onTooManyFailures = () => gatekeepers.onRateLimited('key_failures');
  const identifiers = { ...gatekeepers, onTooManyFailures };
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const { permission, bucket, handshake = false } = request.routeOptions.config;
    if (permission === undefined) return;
    const credential = credentialOf(request);
    const principal = await identify(identifiers, credential, request, reply);
    request.principal = principal;
    if (handshake) await countHandshake(gatekeepers, principal, request, reply);
    if (!principal.permissions.has(permission)) {
      throw new LedgerError('forbidden', `this key lacks the permission ${permission}`);
    }
    refuseWideKeyInQuery(request, credential, principal);
    if (bucket !== undefined) await count(gatekeepers, principal, bucket, reply);
  });
}

/** An address is kept by others, in logs and settings: where it holds a key, the key may do one thing. */
function refuseWideKeyInQuery(
  { routeOptions }: FastifyRequest,
  credential: Credential,
  { permissions }: Principal,
): void {
  const { keyInQuery, permission } = routeOptions.config;
  const isInQuery = credential.kind === 'key' && credential.isInQuery;
  if (!isInQuery || keyInQuery !== 'narrow' || permissions.size === 1) return;
  throw new LedgerError(
    'forbidden',
    `a key in the query may have no permission but ${permission}: issue one that has it alone`,
  );
}

/** An address that has a good key may open as many connections as its organisation says. */
async function countHandshake(
  { settings, handshakes, onRateLimited }: Gatekeepers,
  { scope }: Principal,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { handshakes_per_minute: limit } = (await settings.get(scope)).rate_limits;
  const decision = handshakes.take(scope.orgId, ip, limit);
  if (decision.allowed) return;
  void reply.headers(rateLimitHeaders('handshake', decision, 60));
  onRateLimited('handshake');
  throw new LedgerError('rate_limited', `more than ${limit} handshakes a minute from this address`);
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
  onRateLimited(bucket);
  throw new LedgerError('rate_limited', `more than ${limit} ${bucket} requests a second`);
}
