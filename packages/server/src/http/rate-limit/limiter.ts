import type { Clock } from '../../platform/clock.js';
import type { Bucket } from '../types.js';

/** Whether a request is admitted, with the values of its rate limit headers. */
export interface Decision {
  readonly allowed: boolean;
  /** Requests per second. */
  readonly limit: number;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** Whole seconds: at least 1 when refused, 0 when allowed. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the full allowance is available. */
  readonly resetSeconds: number;
}

/** Counts one request against an organisation's limit. */
export interface Limiter {
  /**
   * `limit` is in whole requests per second, up to 1,000,000, and is also the burst; 0 refuses
   * everything. A changed limit applies from this call on.
   */
  take(orgId: string, bucket: Bucket, limit: number): Decision | Promise<Decision>;
}

/** The limiter of a single process: synchronous and exact. */
export interface MemoryLimiter extends Limiter {
  take(orgId: string, bucket: Bucket, limit: number): Decision;
  /** Number of organisations and buckets in memory. */
  readonly size: number;
}

interface Entry {
  state: GcraState;
  idleAt: number;
}

const PERIOD_MS = 1000;

/**
 * An in-memory limiter. In any t seconds an organisation gets at most `limit × (t + 1)` requests of
 * a bucket. Memory is proportional to the organisations that were active in the last second.
 */
export function createMemoryLimiter(clock: Clock): MemoryLimiter {
  const entries = new IdleSweptMap<Entry>((entry, now) => entry.idleAt <= now);
  return {
    get size() {
      return entries.size;
    },
    take(orgId, bucket, limit) {
      const now = clock.now();
      const key = `${bucket} ${orgId}`;
      const entry = entries.get(key);
      const rate = { limit, periodMs: PERIOD_MS, burst: limit };
      const { allowed, remaining, retryAfterMs, resetMs, state } = admit(
        entry?.state,
        now,
        rate,
        1,
      );
      const idleAt = state.at + resetMs;
      if (entry === undefined) {
        entries.add(key, { state, idleAt }, now);
      } else {
        entry.state = state;
        entry.idleAt = idleAt;
      }
      const retryAfterSeconds = allowed ? 0 : toSeconds(Math.min(retryAfterMs, PERIOD_MS));
      return {
        allowed,
        limit,
        remaining,
        retryAfterSeconds,
        resetSeconds: Math.ceil(resetMs / 1000),
      };
    },
  };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

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

const SMALLEST_SWEEP = 1024;

/**
 * A map that drops idle entries. An idle entry equals a new one, so dropping it changes no result.
 * It sweeps after it has doubled since the last sweep, so it holds at most 1,024 entries or twice
 * the busy entries of that sweep, whichever is more.
 */
export class IdleSweptMap<E> {
  readonly #entries = new Map<string, E>();
  readonly #isIdle: (entry: E, now: number) => boolean;
  #sweepAt = SMALLEST_SWEEP;

  constructor(isIdle: (entry: E, now: number) => boolean) {
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): E | undefined {
    return this.#entries.get(key);
  }

  /** @param now in milliseconds */
  add(key: string, entry: E, now: number): void {
    if (this.#entries.size >= this.#sweepAt) this.#sweep(now);
    this.#entries.set(key, entry);
  }

  #sweep(now: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#isIdle(entry, now)) this.#entries.delete(key);
    }
    this.#sweepAt = Math.max(SMALLEST_SWEEP, this.#entries.size * 2);
  }
}

/** Rate limit headers of a response. */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers-10,
 * RFC 9651), and, for a refused request, `Retry-After` in whole seconds (RFC 9110, 10.2.3):
 *
 *     RateLimit-Policy: "ingest";q=100;w=1
 *     RateLimit: "ingest";r=99;t=1
 *
 * `name` is printable ASCII; `windowSeconds` is the window of the limit.
 */
export function rateLimitHeaders(
  name: string,
  decision: Decision,
  windowSeconds = 1,
): RateLimitHeaders {
  const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`;
  const headers = {
    'RateLimit-Policy': `${quoted};q=${decision.limit};w=${windowSeconds}`,
    RateLimit: `${quoted};r=${decision.remaining};t=${decision.resetSeconds}`,
  };
  if (decision.allowed) return headers;
  return { ...headers, 'Retry-After': String(decision.retryAfterSeconds) };
}
