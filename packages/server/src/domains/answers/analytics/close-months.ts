import { type FigureChange, MonthBooks } from '@decision-ledger/contract/analytics-months';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { lastDueDay } from '../../../platform/daily.js';
import type { Transaction } from '../../../platform/database.js';
import type { Installation } from '../../../platform/installation.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { type ReadTools, readSnapshot, readState, type State } from './consistent.js';
import { readMonths } from './month-books.js';
import { CLOSING } from './queue.js';
import { firstOpenMonth } from './rules/calendar.js';
import { changesOf } from './rules/restate.js';
import {
  selectClosingState,
  selectUnclosedLedgers,
  upsertClosingState,
} from './store/closing-states.js';
import { selectMonthsToClose } from './store/events.js';
import {
  insertClosed,
  insertRestatement,
  selectClosedNames,
  selectPublished,
} from './store/months.js';

export interface ClosingTools extends ReadTools {
  readonly recordActivity: RecordActivity;
}

/** Time of day (UTC) of the nightly run: after that of the estimates. */
const RUN_AT = 3 * 3_600_000;

/** Queues a job for each ledger whose nightly run is due, including missed runs. */
export async function requestDueClosings({
  db,
  installation,
  clock,
  jobs,
}: ReadTools & { readonly installation: Installation; readonly jobs: JobQueue }): Promise<void> {
  for (const scope of await selectUnclosedLedgers(installation, lastDueDay(clock.now(), RUN_AT))) {
    await jobs.send(db, CLOSING, scope, {}, 'nightly');
  }
}

/** Months that are read and written together. */
const STEP = 24;

/**
 * The nightly run of a ledger, if it is due: closes the months that ended long enough ago, and restates
 * closed ones whose figures differ from those last published. A run that stopped continues: what it
 * wrote is as published.
 */
export async function closeMonths(
  tools: ClosingTools,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = tools;
  const runDay = lastDueDay(clock.now(), RUN_AT);
  const last = await selectClosingState(db, scope);
  if (last !== null && last.run_day >= runDay) return;
  const { activity_seq: seen } = await readState(db, scope, clock);
  const { analytics } = await readSettings(db, scope);
  const due = await selectMonthsToClose(
    db,
    scope,
    firstOpenMonth(clock.now(), analytics.close_after_days),
  );
  // Closed months can differ only if something was recorded since.
  const closed = seen === last?.activity_seq ? [] : await selectClosedNames(db, scope);
  const months = [...closed, ...due].sort();
  let written = 0;
  for (let from = 0; from < months.length; from += STEP) {
    if (signal.aborted) return;
    written += await publish(tools, scope, months.slice(from, from + STEP), runDay);
  }
  await finish(tools, scope, { run_day: runDay, seen, written });
}

/** Notes what the run has seen, including its own records if no others came between. */
async function finish(
  { db }: ClosingTools,
  scope: Scope,
  run: { readonly run_day: string; readonly seen: number; readonly written: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const head = await lockHead(tx, scope, 'activity');
    const isAlone = head.seq === run.seen + run.written;
    const activity_seq = isAlone ? head.seq : run.seen;
    await upsertClosingState(tx, scope, { run_day: run.run_day, activity_seq });
  });
}

const checkBooks = checker(MonthBooks, 'figures');

/** Figures of a month as they were stored. */
export function readStored(figures: string): MonthBooks {
  return checkBooks(parseJson(figures));
}

/** @returns the number of months that were closed or restated */
async function publish(
  tools: ClosingTools,
  scope: Scope,
  months: readonly string[],
  runDay: string,
): Promise<number> {
  const { state, result } = await readSnapshot(tools, scope, (db) => readMonths(db, scope, months));
  return tools.db.transaction(async (tx) => {
    // Another run may have published in the meantime: only the holder of this lock reads and writes.
    await lockHead(tx, scope, 'activity');
    const last = await selectClosingState(tx, scope);
    if (last !== null && last.run_day >= runDay) return 0;
    const published = await selectPublished(tx, scope, months);
    const before = new Map(published.map(({ month, figures }) => [month, figures]));
    let written = 0;
    for (const [month, books] of result) {
      const old = before.get(month);
      const changes = old === undefined ? null : changesOf(readStored(old), books);
      if (changes?.length === 0) continue;
      await write(tools, tx, scope, { month, books, state, changes, runDay });
      written += 1;
    }
    return written;
  });
}

interface Publication {
  readonly month: string;
  readonly books: MonthBooks;
  readonly state: State;
  /** Null for a month that is closed now. */
  readonly changes: readonly FigureChange[] | null;
  readonly runDay: string;
}

async function write(
  { recordActivity }: ClosingTools,
  tx: Transaction,
  scope: Scope,
  { month, books, state, changes, runDay }: Publication,
): Promise<void> {
  const { as_of, activity_seq, activity_hash } = state;
  const data = { month, as_of, activity_seq, activity_hash, figures: books };
  const at = await recordActivity(tx, scope, {
    type: changes === null ? 'month.closed' : 'month.restated',
    actor: 'engine',
    subject: month,
    data: changes === null ? data : { ...data, changes: changes.map((change) => ({ ...change })) },
  });
  const stored = { month, figures: JSON.stringify(books), state };
  if (changes === null) await insertClosed(tx, scope, stored, at);
  else {
    const text = JSON.stringify(changes);
    await insertRestatement(tx, scope, { ...stored, changes: text }, runDay, at);
  }
}
