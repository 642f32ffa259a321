/** Whether another export may be requested, and the remaining allowance. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds: at least 1 if refused, 0 if allowed. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the full allowance is available. */
  readonly resetSeconds: number;
}

/** `Usage` of the store. Times in ms. */
export interface Used {
  readonly used: number;
  readonly freedBy: number | null;
  readonly newest: number | null;
}

export const WINDOW_MS = 3_600_000;

/** Allows at most `limit` exports in any hour, not counting those that fail. */
export function allowanceOf(
  { used, freedBy, newest }: Used,
  limit: number,
  now: number,
): Allowance {
  const secondsTo = (at: number | null) =>
    at === null ? 0 : Math.max(1, Math.ceil((at + WINDOW_MS - now) / 1000));
  if (used < limit) {
    const resetSeconds = WINDOW_MS / 1000;
    return {
      allowed: true,
      limit,
      remaining: limit - used - 1,
      retryAfterSeconds: 0,
      resetSeconds,
    };
  }
  const resetSeconds = secondsTo(newest);
  return {
    allowed: false,
    limit,
    remaining: 0,
    retryAfterSeconds: secondsTo(freedBy),
    resetSeconds,
  };
}
