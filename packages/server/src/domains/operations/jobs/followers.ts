import type { Follower as FollowerState, PendingJobs } from '@decision-ledger/contract/operations';
import { formatTimestamp } from '@decision-ledger/contract/time';
import {
  type DueFollower,
  type Follower,
  followsLogs,
  type LogFollower,
} from '../../../platform/followers/follower.js';
import {
  type DueProgress,
  type FailureRow,
  type FollowerProgress,
  selectDueProgress,
  selectFailures,
  selectProgress,
  subjectOf,
} from '../../../platform/followers/progress.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectPending } from './store/pending.js';

/** The most failed records that are listed of a follower. */
const MAX_FAILURES = 100;

/**
 * What the queues of a ledger that bring records have to do, without those that have nothing: what follows from it is not yet
 * known to any follower.
 */
export async function listInbox(
  ledger: LedgerReader,
  queues: readonly string[],
): Promise<PendingJobs[]> {
  const rows = await selectPending(ledger, queues);
  return rows.map(({ queue, waiting, seconds, failed }) => ({
    ...{ queue, waiting, lag_seconds: seconds, failed },
  }));
}

/** How far each follower of a ledger is, and what it could not take. */
export async function listFollowers(
  ledger: LedgerReader,
  followers: readonly Follower[],
): Promise<FollowerState[]> {
  const names = followers.map(({ name }) => name);
  const progress = await selectProgress(ledger, followers);
  const due = await selectDueProgress(ledger, followers);
  const failures = await selectFailures(ledger, { followers: names, limit: MAX_FAILURES });
  return followers.map((each) => {
    const { name, kind } = each;
    const failed = failures.filter(({ follower }) => follower === name);
    return {
      name,
      kind,
      logs: followsLogs(each) ? describeLogs(each, progress) : [],
      due: followsLogs(each) ? null : describeDue(each, due),
      failures: failed[0]?.total ?? 0,
      failed_records: failed.map((row) => describeFailure(each, row)),
    };
  });
}

function describeLogs({ name, follows }: LogFollower, progress: readonly FollowerProgress[]) {
  return follows.flatMap((log) =>
    progress
      .filter((row) => row.follower === name && row.log === log)
      .map(({ position, head, seconds }) => ({
        log,
        position,
        head,
        lag_records: Math.max(0, head - position),
        lag_seconds: seconds,
      })),
  );
}

function describeDue({ name }: DueFollower, due: readonly DueProgress[]) {
  const own = due.find(({ follower }) => follower === name);
  return { waiting: own?.waiting ?? 0, lag_seconds: own?.seconds ?? 0 };
}

function describeFailure(follower: Follower, row: FailureRow) {
  const { log, seq, reason, failed_at, retry_at } = row;
  return {
    log,
    seq,
    subject: subjectOf(follower, row),
    reason,
    failed_at: formatTimestamp(failed_at),
    retry_at: retry_at === null ? null : formatTimestamp(retry_at),
  };
}
