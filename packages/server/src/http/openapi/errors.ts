import { ERROR_STATUS, type ErrorCode } from '@decision-ledger/contract/errors';
import type { FastifyContextConfig } from 'fastify';

/** What decides which errors a route can answer with. */
interface Route {
  readonly config: FastifyContextConfig;
  readonly takesIdempotencyKey: boolean;
  readonly hasBody: boolean;
  readonly hasId: boolean;
  readonly takesIfMatch: boolean;
}

/** The error codes of a route: those that its features imply, and those that it declares itself. */
export function errorsOf({
  config,
  takesIdempotencyKey,
  hasBody,
  hasId,
  takesIfMatch,
}: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['malformed_request', ...(config.errors ?? [])]);
  if (config.permission !== undefined) {
    for (const code of KEYED) codes.add(code);
  }
  if (hasBody) for (const code of WITH_BODY) codes.add(code);
  if (takesIdempotencyKey) codes.add('idempotency_conflict');
  if (takesIfMatch) codes.add('precondition_failed');
  if (hasId) codes.add('not_found');
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || (a < b ? -1 : 1));
}

/** Every route with a permission checks the key, its input and its rate limit, and reads the database. */
const KEYED = [
  'unauthorized',
  'forbidden',
  'validation_error',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

const WITH_BODY = ['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const;

/** The example message of each error. */
export const EXAMPLE_MESSAGES: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'invalid JSON at line 1, column 12: unexpected "}"',
  unauthorized: 'invalid or missing api key',
  forbidden: 'this key lacks the permission review',
  not_found: 'no such decision',
  method_not_allowed: 'this path allows GET, HEAD',
  request_timeout: 'the request did not arrive in time',
  conflict: 'links that people created or confirmed take the whole event: delete one of them first',
  idempotency_conflict: 'this Idempotency-Key was used for another request',
  invalid_state: 'the link was reviewed already',
  export_not_ready: 'the export is not complete yet',
  gone: 'the export has expired: request it again',
  precondition_failed:
    'the settings changed after you read them: get them again with GET /settings',
  payload_too_large: 'the body is larger than 1048576 bytes',
  unsupported_media_type: 'send JSON with Content-Type: application/json',
  expectation_failed: 'only 100-continue can be expected',
  validation_error: 'the request is not valid: see confidence',
  too_late:
    'nothing was recorded: timestamp must not be more than 86400 seconds before the time of recording',
  rate_limited: 'more than 100 requests a second',
  internal_error: 'an internal error occurred and was logged',
  unavailable: 'the database is busy',
};
