import type { Settings } from '@decision-ledger/contract/settings';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/principal.js';
import { SETTING_OF_BUCKET } from '../authorize.js';
import type { Bucket } from '../types.js';
import {
  type HandshakeLimiter,
  handshakeLimiter,
  type KeyFailures,
  keyFailures,
} from './by-address.js';
import { createLeasedLimiter, createLeaseStore } from './leased-limiter.js';
import {
  createMemoryLimiter,
  type Decision,
  type Limiter,
  type RateLimitHeaders,
  rateLimitHeaders,
} from './limiter.js';

export interface LimitOptions {
  readonly clock: Clock;
  readonly db: Database;
  /** Whether other processes serve the same organisations. */
  readonly isShared: boolean;
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly onRateLimited: (bucket: Bucket | 'handshake' | 'key_failures') => void;
}

/** What limits requests: per organisation, per address, and by failed keys. */
export interface Limits extends Pick<LimitOptions, 'settings' | 'onRateLimited'> {
  readonly handshakes: HandshakeLimiter;
  readonly failures: KeyFailures;
  readonly limiter: Limiter;
}

export function openLimits({ clock, db, isShared, settings, onRateLimited }: LimitOptions): Limits {
  return {
    settings,
    onRateLimited,
    handshakes: handshakeLimiter(clock),
    failures: keyFailures(clock),
    limiter: isShared
      ? createLeasedLimiter(clock, createLeaseStore(db))
      : createMemoryLimiter(clock),
  };
}

export interface ChargeTools {
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly limiter: Limiter;
  readonly onRateLimited: (bucket: Bucket) => void;
}

/** How many of the records of a request the limit admits now, with the headers of a refusal. */
export interface Charge {
  readonly admitted: number;
  readonly headers: RateLimitHeaders;
}

/** Counts the records of a request beyond the first, for which the request itself was counted. */
export type ChargeRecords = (scope: Scope, records: number) => Promise<Charge>;

export function recordCharger(
  { settings, limiter, onRateLimited }: ChargeTools,
  bucket: Bucket,
): ChargeRecords {
  return async (scope, records) => {
    const limit = (await settings.get(scope)).rate_limits[SETTING_OF_BUCKET[bucket]];
    const wanted = Math.max(0, records - 1);
    const answers: (Decision | Promise<Decision>)[] = [];
    for (let count = 0; count < wanted; count += 1) {
      const answer = limiter.take(scope.orgId, bucket, limit);
      answers.push(answer);
      // One refusal decides the rest: a request may hold thousands of records.
      if ('allowed' in answer && !answer.allowed) break;
    }
    const settled = await Promise.all(answers);
    const admitted = Math.min(records, 1) + settled.filter(({ allowed }) => allowed).length;
    const refusal = settled.find(({ allowed }) => !allowed);
    if (refusal === undefined) return { admitted, headers: {} };
    onRateLimited(bucket);
    return { admitted, headers: rateLimitHeaders(bucket, refusal) };
  };
}
