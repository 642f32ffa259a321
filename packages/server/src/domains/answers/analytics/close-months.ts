import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import { lockHead } from '../../../platform/chain/head.js';
import { lastDueDay } from '../../../platform/clock.js';
import { catchUpDue } from '../../../platform/followers/due-step.js';
import { noteProgress } from '../../../platform/followers/due-work.js';
import type { DueFollower, DueStep } from '../../../platform/followers/follower.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { isUnfinished } from '../../../platform/projections/rebuild.js';
import { readSettings } from '../../access/settings/index.js';
import { linkAllocations } from '../../judgement/liability/index.js';
import { countedAmounts, isRecountPending } from '../../record/financial-events/index.js';
import { readSnapshot, readState } from './consistent.js';
import { publishMonths, readChanged } from './month-books.js';
import { firstOpenMonth } from './rules/periods.js';
import { selectMonthsToClose } from './store/link-allocations.js';
import {
  selectClosedNames,
  selectClosingState,
  unclosedSince,
  updateClosingState,
  upsertOpenMonth,
} from './store/months.js';

/** Time of day (UTC) of the nightly run: after that of the estimates. */
const RUN_AT = 3 * 3_600_000;
/** Months that are read and written together. */
const STEP = 12;
/** Closes months, ledger by ledger. */
const CLOSINGS = 'closings';
/** The derived rows that the figures of months are read from. */
const READ = [countedAmounts.name, linkAllocations.name];

/** How far the nightly run of a ledger is. */
const Run = Type.Object({
  /** The day on which it was due. */
  day: Type.String(),
  /** The last record of the activity when it began. */
  seen: Type.Integer(),
  /** Its own records. */
  written: Type.Integer(),
  /** The last month that it has compared; empty before the first one. */
  after: Type.String(),
});
type Run = Static<typeof Run>;

const checkRun = checker(Run, 'progress');

/**
 * The nightly run of each ledger: closes the months that ended long enough ago, and restates closed ones whose figures
 * differ from those last published.
 */
export const closings: DueFollower = {
  name: CLOSINGS,
  kind: 'recorder',
  subjects: 'led',
  owns: ['closed_months', 'month_restatements', 'closing_states'],
  step: 1,
  lane: 'long',
  found: (ledgerId, now) => unclosedSince(ledgerId, lastDueDay(now, RUN_AT)),
  async advance(ledger, { due: [ours] }) {
    const run = await readRun(ledger, ours?.progress ?? null);
    if (run === null) return { write: async (_tx, ids) => ids };
    const open = await laterOpenMonth(ledger);
    if (open !== null) return keepFrom(open);
    const left = await selectLeft(ledger, run);
    const months = left.slice(0, STEP);
    const { state, result: changed } = await readSnapshot(ledger, async (reader) =>
      (await isChanging(reader)) ? null : readChanged(reader, months),
    );
    if (changed === null) return null;
    return {
      lock: (tx) => lockHead(tx, 'activity'),
      async write(tx, ids) {
        if (await isComplete(tx, run.day)) return ids;
        const written =
          run.written + (await publishMonths(tx, { state, months: changed }, run.day));
        const after = months.at(-1) ?? run.after;
        if (left.length > STEP) {
          const next = JSON.stringify({ ...run, written, after });
          await noteProgress(tx, CLOSINGS, tx.ledgerId, next);
          return [];
        }
        await finish(tx, { ...run, written });
        return ids;
      },
    };
  },
};

/** Does what is due of a ledger. If its rows are being made again, the months wait for the next look. */
export function closeMonths(ledger: Ledger, signal: AbortSignal): Promise<void> {
  return catchUpDue(ledger, closings, signal);
}

/** The run that goes on, or a new one; null if that of this night is complete. */
async function readRun(ledger: LedgerReader, progress: string | null): Promise<Run | null> {
  if (progress !== null) return checkRun(parseJson(progress));
  const day = lastDueDay(ledger.clock.now(), RUN_AT);
  if (await isComplete(ledger, day)) return null;
  const { activity_seq } = await readState(ledger);
  return { day, seen: activity_seq, written: 0, after: '' };
}

async function isComplete(ledger: LedgerReader, day: string): Promise<boolean> {
  const last = await selectClosingState(ledger);
  return last !== null && last.run_day >= day;
}

/** The first month that is still open, if events of more months than before are to be kept as they counted; else null. */
async function laterOpenMonth(ledger: LedgerReader): Promise<string | null> {
  const open = await readOpenMonth(ledger);
  const last = await selectClosingState(ledger);
  return last === null || last.open_month < open ? open : null;
}

async function readOpenMonth(ledger: LedgerReader): Promise<string> {
  const { analytics } = await readSettings(ledger);
  return firstOpenMonth(ledger.clock.now(), analytics.close_after_days);
}

/** A month is read after this is committed, so that every change since then can be explained. */
function keepFrom(open: string): DueStep {
  return {
    lock: (tx) => lockHead(tx, 'activity'),
    async write(tx) {
      await upsertOpenMonth(tx, open);
      return [];
    },
  };
}

/** Whether a rebuild, or a change of the settings, has changed a part of the rows that are read and not the rest. */
async function isChanging(reader: LedgerReader): Promise<boolean> {
  return (await isUnfinished(reader, READ)) || (await isRecountPending(reader));
}

/** The months that a run has to compare still, in order. */
async function selectLeft(ledger: LedgerReader, { seen, after }: Run): Promise<string[]> {
  const last = await selectClosingState(ledger);
  const due = await selectMonthsToClose(ledger, await readOpenMonth(ledger));
  // Closed months can differ only if something was recorded since.
  const closed = seen === last?.activity_seq ? [] : await selectClosedNames(ledger);
  return [...closed, ...due].filter((month) => month > after).sort();
}

/** Notes what the run has seen, including its own records if no others came between. */
async function finish(tx: LedgerWriter, { day, seen, written }: Run): Promise<void> {
  const head = await lockHead(tx, 'activity');
  const isAlone = head.seq === seen + written;
  await updateClosingState(tx, { run_day: day, activity_seq: isAlone ? head.seq : seen });
}
