import { invalidField } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyMark } from '../platform/idempotency.js';
import { mac } from '../platform/secrets.js';

/** The header that marks a request as one and the same however often it arrives. */
const IDEMPOTENCY_HEADER = 'idempotency-key';

/**
 * @param key of the keyed hashes
 * @returns null where the request brings no Idempotency-Key
 * @throws LedgerError `validation_error` for an empty or overlong one
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
  return markOf(key, text, `${request.method} ${path}`, body);
}

/** @param operation what the key stands for, such as `POST /decisions` */
export function markOf(
  key: Buffer,
  text: string,
  operation: string,
  body: JsonValue,
): IdempotencyMark {
  return {
    key: mac(key, `key\n${text}`).toString('hex'),
    request: mac(key, `request\n${operation}\n${canonicalJson(body)}`).toString('hex'),
  };
}

/** Tells the caller that the answer was given before. */
export function markReplay<Reply extends Pick<FastifyReply, 'header'>>(
  reply: Reply,
  replayed: boolean,
): Reply {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply;
}
