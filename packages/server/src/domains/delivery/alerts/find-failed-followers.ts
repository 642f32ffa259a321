import type { AlertNotice } from '@decision-ledger/contract/alert';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Follower } from '../../../platform/followers/follower.js';
import { selectFailures, subjectOf } from '../../../platform/followers/progress.js';
import type { LedgerReader } from '../../../platform/ledger.js';

/**
 * A notice for each follower that could not take a record or subject since the last check, with the latest one. Reasons are left
 * out, because they may contain personal data.
 * @param toldAt when the last reported one failed, ms
 */
export async function findFailedFollowers(
  tx: LedgerReader,
  followers: readonly Follower[],
  toldAt: number | undefined,
): Promise<{ readonly at: number | undefined; readonly notices: readonly AlertNotice[] }> {
  const failures = await selectFailures(tx, {
    followers: followers.map(({ name }) => name),
    ...{ after: toldAt ?? 0, limit: 1 },
  });
  const notices = failures.flatMap((row) => {
    const follower = followers.find(({ name }) => name === row.follower);
    if (follower === undefined) return [];
    const { log, seq, failed_at, retry_at, total } = row;
    const last = {
      ...{ log, seq, subject: subjectOf(follower, row), failed_at: formatTimestamp(failed_at) },
      stopped: log !== null && retry_at !== null,
    };
    const { name, kind } = follower;
    const data = { follower: name, kind, failures: total, last };
    return [{ type: 'follower.failed', data } as const];
  });
  return { at: failures[0]?.failed_at ?? toldAt, notices };
}
