import type { AlertNotice } from '@decision-ledger/contract/alert';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Follower } from '../../../platform/followers/follower.js';
import { selectFailures } from '../../../platform/followers/progress.js';
import type { LedgerReader } from '../../../platform/ledger.js';

/**
 * A notice for each follower that could not take a record since the last check, with the latest one. Reasons are left
 * out, because they may contain personal data.
 * @param toldAt when the last reported one failed, ms
 */
export async function findFailedFollowers(
  tx: LedgerReader,
  followers: readonly Follower[],
  toldAt: number | undefined,
): Promise<{ readonly at: number | undefined; readonly notices: readonly AlertNotice[] }> {
  const kinds = new Map(followers.map(({ name, kind }) => [name, kind]));
  const failures = await selectFailures(tx, {
    ...{ followers: [...kinds.keys()], after: toldAt ?? 0, limit: 1 },
  });
  const notices = failures.flatMap(({ follower, log, seq, failed_at, retry_at, total }) => {
    const kind = kinds.get(follower);
    if (kind === undefined) return [];
    const last = { log, seq, failed_at: formatTimestamp(failed_at), stopped: retry_at !== null };
    const data = { follower, kind, failures: total, last };
    return [{ type: 'follower.failed', data } as const];
  });
  return { at: failures[0]?.failed_at ?? toldAt, notices };
}
