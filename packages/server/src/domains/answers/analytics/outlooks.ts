import { unavailable } from '@decision-ledger/contract/errors';
import { type Aggregate, aggregateInSteps } from '@decision-ledger/liability/aggregate';
import type { Pool } from '@decision-ledger/liability/aggregate-plan';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Scope } from '../../../platform/principal.js';
import type { EstimationModel } from '../../judgement/liability/index.js';

export interface Outlooks {
  /**
   * The distribution of the total cost of decisions, in the base currency.
   * @param now ms; the same pools have the same outlook for the whole day (UTC)
   * @throws LedgerError `unavailable` while too many are waiting
   */
  get(
    scope: Scope,
    model: EstimationModel,
    pools: readonly Pool[],
    now: number,
  ): Promise<Aggregate>;
}

const KEPT_MS = 600_000;
const KEPT = 200;
const MAX_WAITING = 20;

/**
 * Cached outlooks. They are drawn one at a time, in steps of a few milliseconds and for at most half of
 * the time, so that no request waits for them.
 */
export function outlooks(clock: Clock): Outlooks {
  const cache = expiringCache<Aggregate>(clock, KEPT_MS, KEPT);
  const draw = inSequence(MAX_WAITING);
  return {
    get({ ledgerId }, { snapshotId, estimator, experience }, pools, now) {
      const seed = `${ledgerId} ${new Date(now).toISOString().slice(0, 10)}`;
      // Contains all inputs of the outlook, so that a cached one is never out of date.
      const key = JSON.stringify([seed, snapshotId, pools]);
      const { dispersion } = experience;
      return cache.get(key, () =>
        draw(() => inTurns(aggregateInSteps({ pools, estimator, dispersion, seed }))),
      );
    },
  };
}

/** Runs work in sequence. */
function inSequence(maxWaiting: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= maxWaiting) throw unavailable('too many analyses of liability are running');
    waiting += 1;
    const result = free.then(work);
    free = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      waiting -= 1;
    }
  };
}
