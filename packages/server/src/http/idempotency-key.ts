import { invalidField } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyMark } from '../platform/idempotency.js';
import { mac } from '../platform/secrets.js';

/** The header that identifies repeats of a request. */
const IDEMPOTENCY_HEADER = 'idempotency-key';

/**
 * @param key key of the HMAC
 * @returns null if the request has no Idempotency-Key
 * @throws LedgerError `validation_error` if the header is empty or too long
 */
export function readIdempotencyMark(
  key: Buffer,
  request: FastifyRequest,
  body: JsonValue,
): IdempotencyMark | null {
  const text = request.headers[IDEMPOTENCY_HEADER];
  if (text === undefined) return null;
  if (typeof text !== 'string' || text === '' || text.length > LIMITS.idempotencyKeyChars) {
    throw invalidField('Idempotency-Key', `must be 1 to ${LIMITS.idempotencyKeyChars} characters`);
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
    key: mac(key, `key\n${text}`).toString('hex'),
    request: mac(key, `request\n${operation}\n${body}`).toString('hex'),
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
