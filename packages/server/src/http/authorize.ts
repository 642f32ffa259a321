import { TOKEN_PREFIX } from '@decision-ledger/contract/access';
import { LedgerError, unauthorized } from '@decision-ledger/contract/errors';
import { permits, recordsAlone } from '@decision-ledger/contract/permissions';
import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal, Scope } from '../platform/principal.js';
import type { HandshakeLimiter, KeyFailures } from './rate-limit/by-address.js';
import { type Decision, type Limiter, rateLimitHeaders } from './rate-limit/limiter.js';
import type { Bucket, Http } from './types.js';

export interface AuthorizationOptions extends Omit<IdentifyOptions, 'onTooManyFailures'> {
  readonly settings: {
    /** Those that were read less than a second ago. */
    recall(scope: Scope): Settings | undefined;
    get(scope: Scope): Promise<Settings>;
  };
  readonly limiter: Limiter;
  readonly handshakes: HandshakeLimiter;
  readonly onRateLimited: (bucket: Bucket | 'handshake' | 'key_failures') => void;
}

export const SETTING_OF_BUCKET = {
  ingest: 'ingest_per_second',
  batch: 'batch_per_second',
  read: 'read_per_second',
  webhook: 'ingest_per_second',
  record: 'record_per_second',
} as const satisfies Record<Bucket, keyof Settings['rate_limits']>;

/** What is at hand, or comes later. On the path of every request, a promise costs more than the work. */
type Soon<Value> = Value | Promise<Value>;

function after<Value, Result>(value: Soon<Value>, next: (value: Value) => Soon<Result>) {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Authenticates, authorises and rate-limits a request before its body is read. */
export function addAuthorization(app: Http, options: AuthorizationOptions): void {
  const onTooManyFailures = () => options.onRateLimited('key_failures');
  const identification = { ...options, onTooManyFailures };
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { permission, handshake = false } = request.routeOptions.config;
    if (permission === undefined) {
      done();
      return;
    }
    const credential = credentialOf(request);
    const identified =
      recallCaller(options, credential) ??
      identifyCaller(identification, credential, request, reply);
    const admitted = after(identified, (principal) => {
      request.principal = principal;
      const counted = handshake ? countHandshake(options, principal, request, reply) : undefined;
      return after(counted, () => admit(options, { credential, principal }, request, reply));
    });
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  });
}

interface Caller {
  readonly credential: Credential;
  readonly principal: Principal;
}

/** Checks the permission of a caller, and counts the request. */
function admit(
  options: AuthorizationOptions,
  { credential, principal }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Soon<void> {
  const { permission, bucket } = request.routeOptions.config;
  requirePermission(principal, permission);
  refuseWideKeyInQuery(request, credential, principal);
  if (bucket === undefined) return;
  // What browsers send does not use up the allowance of the agents.
  const isOwn = permission === 'record' && !principal.permissions.has('ingest');
  return count(options, principal, isOwn ? 'record' : bucket, reply);
}

/** @throws LedgerError `forbidden` */
function requirePermission(
  { permissions }: Principal,
  permission: FastifyContextConfig['permission'],
): void {
  if (permission === 'any' && recordsAlone(permissions)) {
    throw new LedgerError('forbidden', 'this key may only record decisions');
  }
  if (permission === undefined || permission === 'any' || permits(permissions, permission)) return;
  throw new LedgerError('forbidden', `this key lacks the permission ${permission}`);
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

function count(
  { settings, limiter, onRateLimited }: AuthorizationOptions,
  { scope }: Principal,
  bucket: Bucket,
  reply: FastifyReply,
): Soon<void> {
  return after(settings.recall(scope) ?? settings.get(scope), ({ rate_limits }) => {
    const limit = rate_limits[SETTING_OF_BUCKET[bucket]];
    return after(limiter.take(scope.orgId, bucket, limit), (decision) => {
      void reply.headers(rateLimitHeaders(bucket, decision));
      if (decision.allowed) return;
      onRateLimited(bucket);
      throw new LedgerError('rate_limited', `more than ${limit} ${bucket} requests a second`);
    });
  });
}

/** What resolves credentials to principals. */
interface IdentifyOptions {
  readonly authenticator: {
    isKey(text: string): boolean;
    recall(text: string): Principal | null;
    authenticate(text: string, isSuspect: boolean): Promise<Principal | null>;
  };
  /** Redeems a ticket, which is valid once. */
  readonly redeemTicket: (text: string) => Promise<Principal | null>;
  /**
   * Verifies the signed query of a download URL.
   * @throws LedgerError `forbidden`
   */
  readonly readLink: (params: unknown, query: unknown) => Promise<Principal>;
  readonly failures: KeyFailures;
  /** Called when a caller is refused after too many failures. */
  readonly onTooManyFailures: () => void;
}

/** The credential that a request carries. */
type Credential =
  | { readonly kind: 'key'; readonly text: string; readonly isInQuery: boolean }
  | { readonly kind: 'ticket'; readonly text: string }
  | { readonly kind: 'link' }
  | { readonly kind: 'none' };

function credentialOf({ headers, query, routeOptions }: FastifyRequest): Credential {
  const { keyInQuery, handshake = false, signedQuery = false } = routeOptions.config;
  const inQuery = (name: string): unknown => Reflect.get(Object(query), name);
  if (signedQuery && inQuery('signature') !== undefined) return { kind: 'link' };
  const header = headers['x-ledger-key'] ?? bearerOf(headers.authorization);
  // Routes for clients that cannot send the header accept the key in the query.
  const isInQuery = header === undefined && keyInQuery !== undefined;
  const key = isInQuery ? inQuery('key') : header;
  if (typeof key === 'string') return { kind: 'key', text: key, isInQuery };
  // Browsers cannot send the header, and a URL must not hold a long-lived secret.
  const ticket = handshake ? inQuery('ticket') : undefined;
  return typeof ticket === 'string' ? { kind: 'ticket', text: ticket } : { kind: 'none' };
}

const BEARER = new RegExp(`^Bearer +(${TOKEN_PREFIX}_[!-~]+) *$`, 'i');

/** The session token of an Authorization header (RFC 6750); any other may be meant for a proxy. */
function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** The caller of a key that was looked up a moment ago; null for any other. */
function recallCaller(
  { authenticator }: Pick<IdentifyOptions, 'authenticator'>,
  credential: Credential,
) {
  return credential.kind === 'key' ? authenticator.recall(credential.text) : null;
}

/**
 * @throws LedgerError `unauthorized`; `rate_limited` if the caller's address sent too many invalid
 *   keys; `forbidden` for an invalid link
 */
async function identifyCaller(
  options: IdentifyOptions,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  if (credential.kind === 'link') return options.readLink(request.params, request.query);
  const { authenticator, failures } = options;
  const isGuess = credential.kind === 'key' && authenticator.isKey(credential.text);
  const counts = isGuess || request.routeOptions.config.handshake === true;
  // A text without the form of a key needs no lookup.
  if (!counts) throw unauthorized();
  const attempt = failures.begin(request.ip);
  try {
    const principal = await lookUp(options, credential, attempt.isSuspect);
    if (principal !== null) return principal;
    const decision = attempt.fail();
    if (decision.allowed) throw unauthorized();
    throw tooManyFailures(options, decision, reply);
  } finally {
    attempt.end();
  }
}

async function lookUp(
  { authenticator, redeemTicket }: IdentifyOptions,
  credential: Credential,
  isSuspect: boolean,
): Promise<Principal | null> {
  if (credential.kind === 'key') return authenticator.authenticate(credential.text, isSuspect);
  return credential.kind === 'ticket' ? redeemTicket(credential.text) : null;
}

function tooManyFailures(
  { onTooManyFailures }: IdentifyOptions,
  decision: Decision,
  reply: FastifyReply,
): LedgerError {
  void reply.headers(rateLimitHeaders('key_failures', decision, 60));
  onTooManyFailures();
  return new LedgerError(
    'rate_limited',
    `this address sent more than ${decision.limit} invalid keys a minute`,
  );
}
