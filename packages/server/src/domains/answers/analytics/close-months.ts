import { type FigureChange, MonthBooks } from '@decision-ledger/contract/analytics-months';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { lastDueDay } from '../../../platform/daily.js';
import type { Database } from '../../../platform/database.js';
import type { Installation } from '../../../platform/installation.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { readSnapshot, readState, type State } from './consistent.js';
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

/** Time of day (UTC) of the nightly run: after that of the estimates. */
const RUN_AT = 3 * 3_600_000;

interface DueTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/** Queues a job for each ledger whose nightly run is due, including missed runs. */
export async function requestDueClosings({ db, installation, jobs }: DueTools): Promise<void> {
  const { clock } = db.context;
  for (const scope of await selectUnclosedLedgers(installation, lastDueDay(clock.now(), RUN_AT))) {
    await jobs.send(db.ledger(scope), CLOSING, {}, 'nightly');
  }
}

/** Months that are read and written together. */
const STEP = 24;

/**
 * The nightly run of a ledger, if it is due: closes the months that ended long enough ago, and restates
 * closed ones whose figures differ from those last published. A run that stopped continues: what it
 * wrote is as published.
 */
export async function closeMonths(ledger: Ledger, signal: AbortSignal): Promise<void> {
  const runDay = lastDueDay(ledger.clock.now(), RUN_AT);
  const last = await selectClosingState(ledger);
  if (last !== null && last.run_day >= runDay) return;
  const { activity_seq: seen } = await readState(ledger);
  const { analytics } = await readSettings(ledger);
  const due = await selectMonthsToClose(
    ledger,
    firstOpenMonth(ledger.clock.now(), analytics.close_after_days),
  );
  // Closed months can differ only if something was recorded since.
  const closed = seen === last?.activity_seq ? [] : await selectClosedNames(ledger);
  const months = [...closed, ...due].sort();
  let written = 0;
  for (let from = 0; from < months.length; from += STEP) {
    if (signal.aborted) return;
    written += await publish(ledger, months.slice(from, from + STEP), runDay);
  }
  await finish(ledger, { run_day: runDay, seen, written });
}

/** Notes what the run has seen, including its own records if no others came between. */
async function finish(
  ledger: Ledger,
  run: { readonly run_day: string; readonly seen: number; readonly written: number },
): Promise<void> {
  await ledger.write(async (tx) => {
    const head = await lockHead(tx, 'activity');
    const isAlone = head.seq === run.seen + run.written;
    const activity_seq = isAlone ? head.seq : run.seen;
    await upsertClosingState(tx, { run_day: run.run_day, activity_seq });
  });
}

const checkBooks = checker(MonthBooks, 'figures');

/** Figures of a month as they were stored. */
export function readStored(figures: string): MonthBooks {
  return checkBooks(parseJson(figures));
}

/** @returns the number of months that were closed or restated */
async function publish(ledger: Ledger, months: readonly string[], runDay: string): Promise<number> {
  const { state, result } = await readSnapshot(ledger, (reader) => readMonths(reader, months));
  return ledger.write(async (tx) => {
    // Another run may have published in the meantime: only the holder of this lock reads and writes.
    await lockHead(tx, 'activity');
    const last = await selectClosingState(tx);
    if (last !== null && last.run_day >= runDay) return 0;
    const published = await selectPublished(tx, months);
    const before = new Map(published.map(({ month, figures }) => [month, figures]));
    let written = 0;
    for (const [month, books] of result) {
      const old = before.get(month);
      const changes = old === undefined ? null : changesOf(readStored(old), books);
      if (changes?.length === 0) continue;
      await write(tx, { month, books, state, changes, runDay });
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
  tx: LedgerWriter,
  { month, books, state, changes, runDay }: Publication,
): Promise<void> {
  const { as_of, activity_seq, activity_hash } = state;
  const data = { month, as_of, activity_seq, activity_hash, figures: books };
  const at = await recordActivity(tx, {
    type: changes === null ? 'month.closed' : 'month.restated',
    actor: 'engine',
    subject: month,
    data: changes === null ? data : { ...data, changes: changes.map((change) => ({ ...change })) },
  });
  const stored = { month, figures: JSON.stringify(books), state };
  if (changes === null) await insertClosed(tx, stored, at);
  else {
    const text = JSON.stringify(changes);
    await insertRestatement(tx, { ...stored, changes: text }, runDay, at);
  }
}
