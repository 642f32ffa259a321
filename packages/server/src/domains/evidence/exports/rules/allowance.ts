/** Whether another export may be requested, and what is left of the allowance. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds: at least 1 when refused, 0 when allowed. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the whole allowance is available. */
  readonly resetSeconds: number;
}

/** `Usage` of the store. Times in ms. */
export interface Used {
  readonly used: number;
  readonly freedBy: number | null;
  readonly newest: number | null;
}

export const WINDOW_MS = 3_600_000;

/** At most `limit` exports that do not fail in any hour. */
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
