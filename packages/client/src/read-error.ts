import { ERROR_CODES } from './api/errors.js';
import { LedgerApiError } from './errors.js';

/** What an answer says besides its body. */
export interface AnswerHead {
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
}

/** Reads an error of the service. Anything else was not written by it. */
export function readError(
  error: unknown,
  { status, requestId, retryAfterMs }: AnswerHead,
): LedgerApiError {
  const isOurs = typeof error === 'object' && error !== null && 'code' in error;
  const code = isOurs ? String(error.code) : 'unknown';
  const known = ERROR_CODES.find((one) => one === code) ?? 'unknown';
  const message = isOurs && 'message' in error ? String(error.message) : 'not an answer of the API';
  const details: unknown = isOurs && 'details' in error ? error.details : undefined;
  return new LedgerApiError(
    known,
    `${status} ${code}: ${message}`,
    status,
    typeof details === 'object' && details !== null ? { ...details } : {},
    requestId,
    retryAfterMs,
  );
}

/** The status that a decision would have been refused with alone. */
const STATUS: Readonly<Record<string, number>> = { forbidden: 403, idempotency_conflict: 409 };
const INVALID = 422;

/** Reads why one decision of a batch was refused. */
export function readRefusal(error: object): LedgerApiError {
  const status = STATUS[String(Reflect.get(error, 'code'))] ?? INVALID;
  return readError(error, { status, requestId: null, retryAfterMs: null });
}
