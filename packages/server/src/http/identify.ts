import { LedgerError, unauthorized } from '@decision-ledger/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../platform/principal.js';
import { rateLimitHeaders } from './rate-limit/headers.js';
import type { KeyFailures } from './rate-limit/key-failures.js';
import type { Decision } from './rate-limit/limiter.js';

/** Who finds the caller behind what a request shows. */
export interface Identifiers {
  readonly authenticator: {
    isKey(text: string): boolean;
    recall(text: string): Principal | null;
    authenticate(text: string, isSuspect: boolean): Promise<Principal | null>;
  };
  /** Takes a ticket, which is good once. */
  readonly redeemTicket: (text: string) => Promise<Principal | null>;
  /**
   * Reads the signed query of a download link.
   * @throws LedgerError `forbidden`
   */
  readonly readLink: (params: unknown, query: unknown) => Promise<Principal>;
  readonly failures: KeyFailures;
  /** A caller is refused for having failed too often. */
  readonly onTooManyFailures: () => void;
}

/** What a request shows in order to say who asks. */
export type Credential =
  | { readonly kind: 'key'; readonly text: string; readonly isInQuery: boolean }
  | { readonly kind: 'ticket'; readonly text: string }
  | { readonly kind: 'link' }
  | { readonly kind: 'none' };

export function credentialOf({ headers, query, routeOptions }: FastifyRequest): Credential {
  const { keyInQuery, handshake = false, signedQuery = false } = routeOptions.config;
  const inQuery = (name: string): unknown => Reflect.get(Object(query), name);
  if (signedQuery && inQuery('signature') !== undefined) return { kind: 'link' };
  const header = headers['x-ledger-key'];
  // Where a caller cannot send our header, its route takes the key from the query.
  const isInQuery = header === undefined && keyInQuery !== undefined;
  const key = isInQuery ? inQuery('key') : header;
  if (typeof key === 'string') return { kind: 'key', text: key, isInQuery };
  // Browsers can send neither our header nor anything secret that lasts.
  const ticket = handshake ? inQuery('ticket') : undefined;
  return typeof ticket === 'string' ? { kind: 'ticket', text: ticket } : { kind: 'none' };
}

/**
 * @throws LedgerError `unauthorized`; `rate_limited` where the caller's address has shown too many keys
 *   that are not good; `forbidden` for a link
 */
export async function identify(
  identifiers: Identifiers,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  if (credential.kind === 'link') return identifiers.readLink(request.params, request.query);
  const { authenticator, failures } = identifiers;
  if (credential.kind === 'key') {
    const known = authenticator.recall(credential.text);
    if (known !== null) return known;
  }
  const isGuess = credential.kind === 'key' && authenticator.isKey(credential.text);
  const counts = isGuess || request.routeOptions.config.handshake === true;
  // What cannot be a key costs no lookup.
  if (!counts) throw unauthorized();
  const attempt = failures.begin(request.ip);
  try {
    const principal = await lookUp(identifiers, credential, attempt.isSuspect);
    if (principal !== null) return principal;
    const decision = attempt.fail();
    if (decision.allowed) throw unauthorized();
    throw tooManyFailures(identifiers, decision, reply);
  } finally {
    attempt.end();
  }
}

async function lookUp(
  { authenticator, redeemTicket }: Identifiers,
  credential: Credential,
  isSuspect: boolean,
): Promise<Principal | null> {
  if (credential.kind === 'key') return authenticator.authenticate(credential.text, isSuspect);
  return credential.kind === 'ticket' ? redeemTicket(credential.text) : null;
}

function tooManyFailures(
  { onTooManyFailures }: Identifiers,
  decision: Decision,
  reply: FastifyReply,
): LedgerError {
  void reply.headers(rateLimitHeaders('key_failures', decision, 60));
  onTooManyFailures();
  return new LedgerError(
    'rate_limited',
    `this address has shown more than ${decision.limit} keys a minute that are not good`,
  );
}
