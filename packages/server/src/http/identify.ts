import { TOKEN_PREFIX } from '@decision-ledger/contract/access';
import { LedgerError, unauthorized } from '@decision-ledger/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../platform/principal.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { KeyFailures } from './rate-limit/key-failures.js';
import type { Decision } from './rate-limit/limiter.js';

/** What resolves credentials to principals. */
export interface IdentifyOptions {
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
export type Credential =
  | { readonly kind: 'key'; readonly text: string; readonly isInQuery: boolean }
  | { readonly kind: 'ticket'; readonly text: string }
  | { readonly kind: 'link' }
  | { readonly kind: 'none' };

export function credentialOf({ headers, query, routeOptions }: FastifyRequest): Credential {
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

/**
 * @throws LedgerError `unauthorized`; `rate_limited` if the caller's address sent too many invalid
 *   keys; `forbidden` for an invalid link
 */
export async function identifyCaller(
  options: IdentifyOptions,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  if (credential.kind === 'link') return options.readLink(request.params, request.query);
  const { authenticator, failures } = options;
  if (credential.kind === 'key') {
    const known = authenticator.recall(credential.text);
    if (known !== null) return known;
  }
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
