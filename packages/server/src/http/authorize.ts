import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal, Scope } from '../platform/principal.js';
import { type Credential, credentialOf, type IdentifyOptions, identifyCaller } from './identify.js';
import type { HandshakeLimiter } from './rate-limit/handshakes.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { Limiter } from './rate-limit/limiter.js';
import type { Bucket, Http } from './types.js';

export interface AuthorizationOptions extends Omit<IdentifyOptions, 'onTooManyFailures'> {
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly limiter: Limiter;
  readonly handshakes: HandshakeLimiter;
  readonly onRateLimited: (bucket: Bucket | 'handshake' | 'key_failures') => void;
}

export const SETTING_OF_BUCKET = {
  ingest: 'ingest_per_second',
  batch: 'batch_per_second',
  read: 'read_per_second',
  webhook: 'ingest_per_second',
} as const satisfies Record<Bucket, keyof Settings['rate_limits']>;

/** Authenticates, authorises and rate-limits a request before its body is read. */
export function addAuthorization(app: Http, options: AuthorizationOptions): void {
  const onTooManyFailures = () => options.onRateLimited('key_failures');
  const identification = { ...options, onTooManyFailures };
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    const { permission, bucket, handshake = false } = request.routeOptions.config;
    if (permission === undefined) return;
    const credential = credentialOf(request);
    const principal = await identifyCaller(identification, credential, request, reply);
    request.principal = principal;
    if (handshake) await countHandshake(options, principal, request, reply);
    if (permission !== 'any' && !principal.permissions.has(permission)) {
      throw new LedgerError('forbidden', `this key lacks the permission ${permission}`);
    }
    refuseWideKeyInQuery(request, credential, principal);
    if (bucket !== undefined) await count(options, principal, bucket, reply);
  });
}

/** A key in a URL may end up in logs and settings of others, so it must have a single permission. */
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
    `a key in the query may have only the permission ${permission}: issue a key with that permission alone`,
  );
}

/** Limits handshakes with a valid key per address, as set by the organisation. */
async function countHandshake(
  { settings, handshakes, onRateLimited }: AuthorizationOptions,
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
  { settings, limiter, onRateLimited }: AuthorizationOptions,
  { scope }: Principal,
  bucket: Bucket,
  reply: FastifyReply,
): Promise<void> {
  const limit = (await settings.get(scope)).rate_limits[SETTING_OF_BUCKET[bucket]];
  const decision = await limiter.take(scope.orgId, bucket, limit);
  void reply.headers(rateLimitHeaders(bucket, decision));
  if (decision.allowed) return;
  onRateLimited(bucket);
  throw new LedgerError('rate_limited', `more than ${limit} ${bucket} requests a second`);
}
