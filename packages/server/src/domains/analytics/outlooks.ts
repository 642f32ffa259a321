import type { Clock } from '../../platform/clock.js';
import { expiringCache } from '../../platform/expiring-cache.js';
import type { Scope } from '../../platform/scope.js';
import { aggregate, type Model } from '../liability/index.js';
import { type PoolRow, poolOf } from './rules/exposure.js';

/** Percentiles of what decisions cost in the end, in the base currency. */
export interface Outlook {
  readonly p50: number;
  readonly p95: number;
}

/** Outlooks, each drawn once: drawing takes tens of milliseconds during which nothing else runs. */
export interface Outlooks {
  /** @param now ms; the same pools have the same outlook for the whole day (UTC) */
  get(scope: Scope, model: Model, pools: readonly PoolRow[], now: number): Promise<Outlook>;
}

const KEPT_MS = 600_000;
const KEPT = 200;

export function outlooks(clock: Clock): Outlooks {
  const cache = expiringCache<Outlook>(clock, KEPT_MS, KEPT);
  return {
    get({ ledgerId }, { snapshotId, settings, experience }, rows, now) {
      const seed = `${ledgerId} ${new Date(now).toISOString().slice(0, 10)}`;
      const pools = rows.map(poolOf);
      // What the outlook follows from, so that one that is kept is never out of date.
      const key = JSON.stringify([seed, snapshotId, pools]);
      return cache.get(key, async () => aggregate(pools, settings, experience, seed));
    },
  };
}
