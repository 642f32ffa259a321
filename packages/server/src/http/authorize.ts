import { LedgerError, unauthorized } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../platform/principal.js';
import type { Scope } from '../platform/scope.js';
import type { Attempt, HandshakeLimiter } from './rate-limit/handshakes.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { Decision, Limiter } from './rate-limit/limiter.js';
import type { Bucket, Http } from './types.js';

export interface Gatekeepers {
  readonly authenticator: { authenticate(text: string): Promise<Principal | null> };
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly limiter: Limiter;
  readonly handshakes: HandshakeLimiter;
  /** Takes a ticket, which is good once. */
  readonly redeemTicket: (text: string) => Promise<Principal | null>;
  readonly onRateLimited?: (bucket: Bucket | 'handshake') => void;
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
    const { permission, bucket, handshake = false } = request.routeOptions.config;
    if (permission === undefined || isSigned(request)) return;
    const principal = handshake
      ? await admitHandshake(gatekeepers, request, reply)
      : await identify(gatekeepers, request);
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

async function identify(gatekeepers: Gatekeepers, request: FastifyRequest): Promise<Principal> {
  const principal = await findPrincipal(gatekeepers, request);
  if (principal === null) throw unauthorized();
  return principal;
}

async function findPrincipal(
  { authenticator, redeemTicket }: Gatekeepers,
  request: FastifyRequest,
): Promise<Principal | null> {
  const text = keyOf(request);
  if (typeof text === 'string') return authenticator.authenticate(text);
  const ticket = ticketOf(request);
  return typeof ticket === 'string' ? redeemTicket(ticket) : null;
}

/** Browsers can send neither our header nor anything secret that lasts. */
function ticketOf({ query, routeOptions }: FastifyRequest): unknown {
  return routeOptions.config.handshake === true ? Reflect.get(Object(query), 'ticket') : undefined;
}

/** An address may try a few keys a minute; one that has a good key has what its organisation says. */
async function admitHandshake(
  gatekeepers: Gatekeepers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  const { settings, handshakes } = gatekeepers;
  const attempt = await handshakes.enter(request.ip);
  if ('allowed' in attempt) throw tooManyHandshakes(gatekeepers, attempt, reply);
  const principal = await judge(attempt, () => identify(gatekeepers, request));
  const { handshakes_per_minute: limit } = (await settings.get(principal.scope)).rate_limits;
  const decision = handshakes.take(principal.scope.orgId, request.ip, limit);
  if (!decision.allowed) throw tooManyHandshakes(gatekeepers, decision, reply);
  return principal;
}

async function judge(
  attempt: Attempt,
  identifyCaller: () => Promise<Principal>,
): Promise<Principal> {
  let isUnknown = false;
  try {
    return await identifyCaller();
  } catch (error) {
    isUnknown = error instanceof LedgerError && error.code === 'unauthorized';
    throw error;
  } finally {
    attempt.end(!isUnknown);
  }
}

function tooManyHandshakes(
  { onRateLimited }: Gatekeepers,
  decision: Decision,
  reply: FastifyReply,
): LedgerError {
  void reply.headers(rateLimitHeaders('handshake', decision, 60));
  onRateLimited?.('handshake');
  const { limit } = decision;
  return new LedgerError(
    'rate_limited',
    `more than ${limit} handshakes a minute from this address`,
  );
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
