import { WITHHELD_FIGURES } from '@decision-ledger/contract/accounting';
import type { AlertNotice } from '@decision-ledger/contract/alert';
import { ReconciliationFinding } from '@decision-ledger/contract/chain';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import type { Follower } from '../../../platform/followers/follower.js';
import { subjectOf } from '../../../platform/followers/progress.js';
import { type Failing, selectOverdue } from '../../../platform/followers/trouble.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectFailedReconciliation, selectWithheld } from './store/alerts.js';

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

const checkFinding = checker(ReconciliationFinding, 'finding');

/**
 * The notice of the last nightly comparison that found differences, if it was not reported before. Each
 * night that finds some is reported. Values are left out, because they may be personal data.
 * @param reportedAt when the last reported comparison ended, ms
 */
export async function findFailedReconciliation(
  tx: LedgerReader,
  reportedAt: number | undefined,
): Promise<{ readonly at: number; readonly notice: AlertNotice } | null> {
  const failed = await selectFailedReconciliation(tx, reportedAt ?? 0);
  if (failed === null) return null;
  const { finished_at, activity_seq, findings, first_finding } = failed;
  const { kind, table, key, column } = checkFinding(parseJson(first_finding));
  const data = { findings, activity_seq, first: { kind, table, key, column } };
  return { at: finished_at, notice: { type: 'reconciliation.failed', data } };
}

const checkWithheld = checker(Type.Object(WITHHELD_FIGURES), 'withheld');

/** What was reported last of each accounting connection. */
export const ToldPlans = Type.Record(Type.String(), Type.String());
type ToldPlans = Static<typeof ToldPlans>;

/**
 * A notice of each accounting connection that has withheld something else since the last check, even if the books are
 * as before again: descriptions are left out, because they may be personal data.
 */
export async function findWithheld(
  tx: LedgerReader,
  before: ToldPlans,
): Promise<{ readonly told: ToldPlans; readonly notices: readonly AlertNotice[] }> {
  const told: Record<string, string> = {};
  const notices: AlertNotice[] = [];
  for (const { connection_id: connection, withheld } of await selectWithheld(tx)) {
    const stored = checkWithheld(parseJson(withheld));
    const { plan, since, reasons, deleted, changed, confirmed, months, sums } = stored;
    const name = `${plan} ${since}`;
    told[connection] = name;
    if (before[connection] === name) continue;
    const figures = { plan, since, reasons, deleted, changed, confirmed, months, sums };
    notices.push({ type: 'accounting.withheld', data: { connection, ...figures } });
  }
  return { told, notices };
}
