import { LedgerApiError } from './errors.js';
import { LIMITS } from './limits.js';

/** The delays of retries, in ms. */
export interface RetryDelays {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * The delay before the next attempt: a random part of a limit that doubles with each attempt (full
 * jitter), or at least what the service asked for.
 * @param attempt number of failed attempts, from 1
 */
export function retryDelay(
  attempt: number,
  error: unknown,
  random: () => number,
  { firstMs, maxMs }: RetryDelays,
): number {
  const limit = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  const asked = retryAfterOf(error);
  if (asked === null) return random() * limit;
  return Math.min(asked, LIMITS.maxRetryAfterMs) + random() * firstMs;
}

/** The delay that the service asked for, in ms; null if it did not. */
export function retryAfterOf(error: unknown): number | null {
  return error instanceof LedgerApiError ? error.retryAfterMs : null;
}

/** Whether the service asked for a longer wait than a caller who needs the answer should have. */
export function isFarOff(error: unknown): boolean {
  return (retryAfterOf(error) ?? 0) > LIMITS.maxRetryMs;
}

/** Whether the same request may succeed later: 408, 429, 5xx, and no answer at all. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof LedgerApiError)) return true;
  const { status } = error;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Parses `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3).
 * @param now ms since the epoch
 * @returns ms; null if it is absent or malformed
 */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
