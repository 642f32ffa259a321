import type { Follower as FollowerState } from '@decision-ledger/contract/follower';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Follower } from '../../../platform/followers/follower.js';
import {
  type FailureRow,
  selectFailures,
  selectProgress,
} from '../../../platform/followers/progress.js';
import type { LedgerReader } from '../../../platform/ledger.js';

/** The most failed records that are listed of a follower. */
const MAX_FAILURES = 100;

/** How far each follower of a ledger is, and what it could not take. */
export async function listFollowers(
  ledger: LedgerReader,
  followers: readonly Follower[],
): Promise<FollowerState[]> {
  const names = followers.map(({ name }) => name);
  const progress = await selectProgress(ledger, followers);
  const failures = await selectFailures(ledger, { followers: names, limit: MAX_FAILURES });
  return followers.map(({ name, kind, follows }) => {
    const own = progress.filter(({ follower }) => follower === name);
    const failed = failures.filter(({ follower }) => follower === name);
    return {
      ...{ name, kind },
      logs: follows.flatMap((log) =>
        own
          .filter((row) => row.log === log)
          .map(({ position, head, seconds }) => ({
            ...{ log, position, head },
            lag_records: Math.max(0, head - position),
            lag_seconds: seconds,
          })),
      ),
      failures: failed[0]?.total ?? 0,
      failed_records: failed.map(describeFailure),
    };
  });
}

function describeFailure({ log, seq, reason, failed_at, retry_at }: FailureRow) {
  return {
    ...{ log, seq, reason },
    failed_at: formatTimestamp(failed_at),
    retry_at: retry_at === null ? null : formatTimestamp(retry_at),
  };
}
