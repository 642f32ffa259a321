// Generated from the contract by scripts/client-types.js.

/** The error codes of the API. */
export const ERROR_CODES = [
  'malformed_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'conflict',
  'idempotency_conflict',
  'invalid_state',
  'export_not_ready',
  'gone',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'validation_error',
  'too_late',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
