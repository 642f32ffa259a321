/** A rate: `limit` requests in each `periodMs`, of which `burst` may come at once. All whole. */
export interface Rate {
  readonly limit: number;
  readonly periodMs: number;
  readonly burst: number;
}

/**
 * What is remembered of one requester: the debt that its requests have run up, in units of
 * 1/periodMs of a request, as it stood at the millisecond `at`.
 */
export interface GcraState {
  readonly at: number;
  readonly debt: number;
}

/** The answer to one request, and the state to keep. */
export interface Admission {
  readonly allowed: boolean;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** 0 when allowed, else when the same request would be; Infinity when it never would. */
  readonly retryAfterMs: number;
  /** When the whole burst would be there again, if nothing more came. */
  readonly resetMs: number;
  readonly state: GcraState;
}

/**
 * The generic cell rate algorithm of ITU-T I.371 in its leaky-bucket form, which decides exactly as
 * the form with a theoretical arrival time does. A debt in whole units keeps the arithmetic exact
 * at any rate; an arrival time in milliseconds since 1970 would have no digits left for the
 * microsecond between two requests at 1,000,000 a second.
 *
 * `now` is in milliseconds; no state means no request yet. Another rate than last time counts from
 * this call on, and a debt above its burst is forgiven down to it. A clock that went back pays
 * nothing off once.
 */
export function admit(
  state: GcraState | undefined,
  now: number,
  rate: Rate,
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

function waitMs(excess: number, cost: number, rate: Rate): number {
  return cost > rate.burst ? Number.POSITIVE_INFINITY : Math.ceil(excess / rate.limit);
}
