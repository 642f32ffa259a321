import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyMark } from '../platform/idempotency.js';
import { hmac } from '../platform/secrets.js';

/** The header that identifies repeats of a request. */
const HEADER_NAME = 'Idempotency-Key';
const IDEMPOTENCY_HEADER = HEADER_NAME.toLowerCase();

/** A string of RFC 9651, section 3.3.3. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;

/**
 * The key of a header that is a string of structured fields, as in draft-ietf-httpapi-idempotency-key-header,
 * or the key itself: `"abc"` and `abc` are one key.
 */
function unquoted(header: string): string {
  const inner = QUOTED.exec(header)?.[1];
  if (inner !== undefined) return inner.replaceAll(/\\(.)/g, '$1');
  if (!/^"|"$/.test(header)) return header;
  throw invalidField(
    HEADER_NAME,
    'has a quotation mark without its counterpart: send "abc" or abc, with \\" for a quotation mark inside quotes',
  );
}

/**
 * @param key key of the HMAC
 * @returns null if the request has no Idempotency-Key
 * @throws LedgerError `validation_error` if the header is empty, too long or quoted on one side
 */
export function readIdempotencyMark(
  key: Buffer,
  request: FastifyRequest,
  body: JsonValue,
): IdempotencyMark | null {
  const header = request.headers[IDEMPOTENCY_HEADER];
  if (header === undefined) return null;
  const text = typeof header === 'string' ? unquoted(header) : '';
  if (text === '' || text.length > LIMITS.idempotencyKeyChars) {
    throw invalidField(HEADER_NAME, `must be 1 to ${LIMITS.idempotencyKeyChars} characters`);
  }
  const path = request.routeOptions.url ?? '';
  return markOf(key, text, `${request.method} ${path}`, canonicalJson(body));
}

/**
 * @param operation the operation that the key applies to, such as `POST /decisions`
 * @param body canonical JSON
 */
export function markOf(
  key: Buffer,
  text: string,
  operation: string,
  body: string,
): IdempotencyMark {
  return {
    key: hmac(key, `key\n${text}`).toString('hex'),
    request: hmac(key, `request\n${operation}\n${body}`).toString('hex'),
  };
}

/** Marks a response as a replay of an earlier one. */
export function markReplay<Reply extends Pick<FastifyReply, 'header'>>(
  reply: Reply,
  replayed: boolean,
): Reply {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply;
}

const MOST_CHARS = 1000;
/** A proxy that compresses answers may mark a tag as weak. */
const TAG = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/;

/**
 * Reads the header If-Match (RFC 9110).
 * @returns the tags of the states that the caller expects; null if it expects none in particular
 * @throws LedgerError `malformed_request` if it is not a list of entity tags
 */
export function readIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): string[] | null {
  const text = headers['if-match'];
  if (text === undefined || text.trim() === '*') return null;
  if (text.length > MOST_CHARS) throw malformed();
  return text.split(',').map((part) => {
    const tag = TAG.exec(part.trim())?.[1];
    if (tag === undefined) throw malformed();
    return tag;
  });
}

/** States the tag of what is answered. */
export function setETag(reply: Pick<FastifyReply, 'header'>, tag: string): void {
  reply.header('etag', `"${tag}"`);
}

function malformed(): LedgerError {
  return new LedgerError(
    'malformed_request',
    'If-Match must be the ETag of an earlier answer, with its double quotes',
  );
}

/** The preferences (RFC 7240) for a receipt that is signed, and for a batch whose decisions are refused one by one. */
export const SIGNED_RECEIPT = 'receipt=signed';
export const LENIENT = 'handling=lenient';

export type Preference = typeof SIGNED_RECEIPT | typeof LENIENT;

const PREFERENCE = /^\s*(\w+)\s*=\s*"?(\w+)"?\s*(?:;|$)/;

/** Whether a request has a preference. Others are ignored, and so is all but the first value of one. */
export function prefers(
  { headers: { prefer } }: Pick<FastifyRequest, 'headers'>,
  wanted: Preference,
): boolean {
  if (prefer === undefined) return false;
  const [name] = wanted.split('=');
  const found = String(prefer)
    .toLowerCase()
    .split(',')
    .map((one) => PREFERENCE.exec(one))
    .find((one) => one?.[1] === name);
  return found !== undefined && `${name}=${found?.[2]}` === wanted;
}

/** Says that a preference was met. */
export function markPreference(reply: FastifyReply, preference: Preference): void {
  void reply.header('preference-applied', preference);
}
