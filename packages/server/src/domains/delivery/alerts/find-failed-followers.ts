import type { AlertNotice } from '@decision-ledger/contract/alert';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type Static, Type } from 'typebox';
import type { Follower } from '../../../platform/followers/follower.js';
import { subjectOf } from '../../../platform/followers/progress.js';
import type { Failing } from '../../../platform/followers/trouble.js';

/**
 * What was found of a follower and a log, or of its due work. Failures may become visible in another order than they happened in, so their
 * number is compared, and not only the time of the last one.
 */
const Found = Type.Object({
  passed: Type.Integer(),
  /** When the last record that was passed over failed, ms. */
  lastAt: Type.Integer(),
  /** When the record that the follower has stopped before failed first, ms. */
  stoppedAt: Type.Integer(),
});
type Found = Static<typeof Found>;

/** What was found at the last check, by follower and log. */
export const FailedFollowers = Type.Record(Type.String(), Found);
type FailedFollowers = Static<typeof FailedFollowers>;

const NOTHING: Found = { passed: 0, lastAt: 0, stoppedAt: 0 };

/**
 * A notice for each follower that could not take a record of a log since the last check, or do what was due, with the last
 * one. Reasons are left out, because they may contain personal data.
 */
export function findFailedFollowers(
  failing: readonly Failing[],
  followers: readonly Follower[],
  before: FailedFollowers,
): { readonly found: FailedFollowers; readonly notices: readonly AlertNotice[] } {
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  const notices = failing.flatMap((one): AlertNotice[] => {
    const follower = byName.get(one.follower);
    if (follower === undefined) return [];
    const news = newsOf(follower, one, before[keyOf(one)] ?? NOTHING);
    if (news === null) return [];
    const { name, kind } = follower;
    return [{ type: 'follower.failed', data: { follower: name, kind, ...news } }];
  });
  return { found: Object.fromEntries(failing.map((one) => [keyOf(one), foundOf(one)])), notices };
}

const keyOf = ({ follower, log }: Failing): string => `${follower} ${log ?? 'due'}`;

const foundOf = ({ passed, last, stop }: Failing): Found => ({
  passed,
  lastAt: last?.failed_at ?? 0,
  stoppedAt: stop?.failed_at ?? 0,
});

function newsOf(follower: Follower, failing: Failing, before: Found) {
  const { log, passed, last, stop } = failing;
  const { lastAt, stoppedAt } = foundOf(failing);
  const more = lastAt > before.lastAt ? 1 : 0;
  const morePassed = Math.max(passed - before.passed, more);
  const hasStopped = stop !== null && stoppedAt !== before.stoppedAt;
  const told = hasStopped ? stop : last;
  if (told === null || (morePassed === 0 && !hasStopped)) return null;
  const { seq, failed_at } = told;
  const subject = subjectOf(follower, told);
  return {
    failures: morePassed + (hasStopped ? 1 : 0),
    last: { log, seq, subject, failed_at: formatTimestamp(failed_at), stopped: hasStopped },
  };
}
