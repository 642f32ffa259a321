import type { AlertNotice } from '@decision-ledger/contract/alert';
import type { Follower } from '../../../platform/followers/follower.js';
import { type Failing, selectOverdue } from '../../../platform/followers/trouble.js';
import type { LedgerReader } from '../../../platform/ledger.js';

export interface LagLimit {
  /** ms. */
  readonly now: number;
  readonly seconds: number;
}

/**
 * A notice for each follower that has begun to lag, or to keep up again: it is then behind by less than half of the
 * limit, and nothing that it could not do waits for another try.
 * @param before the followers that were reported and have not recovered, and what fails
 */
export async function findLaggingFollowers(
  tx: LedgerReader,
  followers: readonly Follower[],
  { told, failing }: { readonly told: readonly string[]; readonly failing: readonly Failing[] },
  { now, seconds }: LagLimit,
): Promise<{ readonly lagging: readonly string[]; readonly notices: readonly AlertNotice[] }> {
  const late = await selectOverdue(tx, followers, { now, seconds });
  const half = { now, seconds: seconds / 2 };
  const still = told.length === 0 ? [] : await selectOverdue(tx, followers, half);
  const slow = new Set([...still, ...failing.filter(isRetried)].map(({ follower }) => follower));
  const lags = new Map(late.map((lag) => [lag.follower, lag]));
  const wasTold = new Set(told);
  const notices: AlertNotice[] = [];
  const lagging: string[] = [];
  for (const { name: follower, kind } of followers) {
    const lag = lags.get(follower);
    const isLagging = lag !== undefined || (wasTold.has(follower) && slow.has(follower));
    if (isLagging) lagging.push(follower);
    if (lag !== undefined && !wasTold.has(follower)) {
      const { records: lag_records, seconds: lag_seconds } = lag;
      const data = { follower, kind, lag_records, lag_seconds, threshold_seconds: seconds };
      notices.push({ type: 'follower.lagging', data });
    } else if (!isLagging && wasTold.has(follower)) {
      notices.push({ type: 'follower.recovered', data: { follower, kind } });
    }
  }
  return { lagging, notices };
}

/** Records that were passed over are not tried again. */
const isRetried = ({ log, passed, stop }: Failing): boolean =>
  stop !== null || (log === null && passed > 0);
