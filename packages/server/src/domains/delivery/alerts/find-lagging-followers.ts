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
 * limit, has not stopped, and has set nothing aside lately.
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
  const slow = new Set(
    [...still, ...failing.filter((one) => holdsUp(one, now))].map(({ follower }) => follower),
  );
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

/** What keeps failing for longer is reported as failed, and does not show that the follower lags. */
const SET_ASIDE_MS = 3_600_000;

/** Records that were passed over are not tried again. Due work that was set aside is, with the time of its first failure. */
const holdsUp = ({ log, last, stop }: Failing, now: number): boolean =>
  stop !== null || (log === null && last !== null && last.failed_at > now - SET_ASIDE_MS);
