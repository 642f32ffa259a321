import type { Clock } from '../../platform/clock.js';
import type { Bucket } from '../types.js';
import { IdleSweptMap } from './entries.js';
import { admit, type GcraState } from './gcra.js';

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
