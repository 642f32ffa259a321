/** A rate: `limit` requests per `periodMs`, with bursts of up to `burst` requests. All integers. */
export interface RateLimit {
  readonly limit: number;
  readonly periodMs: number;
  readonly burst: number;
}

/**
 * The state of one requester: its debt in units of 1/periodMs of a request at the millisecond `at`.
 */
export interface GcraState {
  readonly at: number;
  readonly debt: number;
}

/** The decision about one request, and the state to store. */
export interface Admission {
  readonly allowed: boolean;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** 0 if allowed, else the time until the same request is admitted; Infinity if it never is. */
  readonly retryAfterMs: number;
  /** Time until the full burst is available, without further requests. */
  readonly resetMs: number;
  readonly state: GcraState;
}

/**
 * The generic cell rate algorithm of ITU-T I.371 in its leaky-bucket form, which is equivalent to the
 * form with a theoretical arrival time. A debt in integer units keeps the arithmetic exact at any
 * rate; a double in milliseconds since 1970 cannot resolve the microsecond between two requests at
 * 1,000,000 a second.
 *
 * `now` is in milliseconds. Without a state the requester is new. A changed rate applies from this
 * call on, and a debt above its burst is reduced to the burst. If the clock goes back, no debt is paid
 * off in this call.
 */
export function admit(
  state: GcraState | undefined,
  now: number,
  rate: RateLimit,
  cost: number,
): Admission {
  const at = Math.floor(now);
  const capacity = rate.burst * rate.periodMs;
  const paid = state === undefined ? 0 : Math.max(0, at - state.at) * rate.limit;
  const before = state === undefined ? 0 : Math.min(capacity, Math.max(0, state.debt - paid));
  const after = before + cost * rate.periodMs;
  const allowed = after <= capacity;
  const debt = allowed ? after : before;
  return {
    allowed,
    remaining: Math.floor((capacity - debt) / rate.periodMs),
    retryAfterMs: allowed ? 0 : waitMs(after - capacity, cost, rate),
    resetMs: debt === 0 ? 0 : Math.ceil(debt / rate.limit),
    state: { at, debt },
  };
}

function waitMs(excess: number, cost: number, rate: RateLimit): number {
  return cost > rate.burst ? Number.POSITIVE_INFINITY : Math.ceil(excess / rate.limit);
}
