import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@decision-ledger/contract/errors';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Scope } from '../../../platform/scope.js';
import { aggregate, type Model, type Pool } from '../../judgement/liability/index.js';
import { type PoolRow, poolOf } from './rules/exposure.js';

/** Percentiles of the total cost of decisions, in the base currency. */
export interface Outlook {
  readonly p50: number;
  readonly p95: number;
}

export interface Outlooks {
  /**
   * @param now ms; the same pools have the same outlook for the whole day (UTC)
   * @throws LedgerError `unavailable` while too many are waiting
   */
  get(scope: Scope, model: Model, pools: readonly PoolRow[], now: number): Promise<Outlook>;
}

const KEPT_MS = 600_000;
const KEPT = 200;
const MAX_WAITING = 20;

/**
 * Cached outlooks. Drawing one blocks the event loop for tens of milliseconds, so they are drawn one at
 * a time, for at most half of the time.
 */
export function outlooks(clock: Clock): Outlooks {
  const cache = expiringCache<Outlook>(clock, KEPT_MS, KEPT);
  const draw = inSequence(MAX_WAITING);
  return {
    get({ ledgerId }, { snapshotId, settings, experience }, rows, now) {
      const seed = `${ledgerId} ${new Date(now).toISOString().slice(0, 10)}`;
      const pools: Pool[] = rows.map(poolOf);
      // Contains all inputs of the outlook, so that a cached one is never out of date.
      const key = JSON.stringify([seed, snapshotId, pools]);
      return cache.get(key, () => draw(() => aggregate(pools, settings, experience, seed)));
    },
  };
}

/** Runs work in sequence, with a pause after each that is as long as the work. */
function inSequence(maxWaiting: number): <Result>(work: () => Result) => Promise<Result> {
  let free: Promise<void> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= maxWaiting) throw unavailable('too many analyses of liability are running');
    waiting += 1;
    const before = free;
    let done = (): void => undefined;
    free = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    const started = performance.now();
    try {
      return work();
    } finally {
      waiting -= 1;
      void sleep(performance.now() - started, undefined, { ref: false }).then(done);
    }
  };
}
