import {
  type Explanation,
  type FigureChange,
  MonthBooks,
} from '@decision-ledger/contract/analytics-months';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { deleteFormerCounts } from '../../record/financial-events/index.js';
import { readConversion, type State } from './consistent.js';
import { explainMonth } from './explain-months.js';
import { groupBy } from './rules/groups.js';
import { spanOfMonth } from './rules/periods.js';
import { printBooks } from './rules/print-books.js';
import { figureChanges } from './rules/restate.js';
import { sumEvents, sumLinked } from './store/link-allocations.js';
import { insertClosed, insertRestatement, selectPublishedMonths } from './store/months.js';

/**
 * The current figures of each of some months, as an analysis of that month alone prints them.
 * @param months `2026-04`, in order
 */
export async function readMonths(
  ledger: LedgerReader,
  months: readonly string[],
): Promise<Map<string, MonthBooks>> {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const range = { start: spanOfMonth(first).start, end: spanOfMonth(last).end };
  const filter = { ...range, agentId: undefined, actionType: undefined };
  const conversion = await readConversion(ledger);
  const [linked, events] = await Promise.all([
    sumLinked(ledger, filter, conversion),
    sumEvents(ledger, filter, conversion),
  ]);
  const [linkedIn, eventsIn] = [groupBy(linked, monthOf), groupBy(events, monthOf)];
  return new Map(
    months.map((month) => {
      const own = printBooks(conversion.base, linkedIn.get(month) ?? [], eventsIn.get(month) ?? []);
      return [month, { currency: conversion.base, ...own.books }];
    }),
  );
}

const monthOf = ({ month }: { readonly month: string }): string => month;

const checkBooks = checker(MonthBooks, 'figures');

/** Figures of a month as they were stored. */
export function readStoredBooks(figures: string): MonthBooks {
  return checkBooks(parseJson(figures));
}

/** Figures of a month that are to be published. */
export interface CurrentMonth {
  readonly books: MonthBooks;
  /** Null for a month that is closed now. */
  readonly restated: {
    /** The last record of the activity chain when the figures before were published. */
    readonly since: number;
    readonly changes: readonly FigureChange[];
    readonly explanation: Explanation;
  } | null;
}

/**
 * The months that are not closed, and those whose figures differ from the ones last published, with the reasons. The reader sees
 * one state.
 */
export async function readChanged(
  snapshot: LedgerReader,
  months: readonly string[],
): Promise<Map<string, CurrentMonth>> {
  const current = await readMonths(snapshot, months);
  const published = await selectPublishedMonths(snapshot, months);
  const former = new Map(published.map((row) => [row.month, row]));
  const changed = new Map<string, CurrentMonth>();
  for (const [month, books] of current) {
    const last = former.get(month);
    if (last === undefined) {
      changed.set(month, { books, restated: null });
      continue;
    }
    const before = readStoredBooks(last.figures);
    const changes = figureChanges(before, books);
    if (changes.length === 0) continue;
    const since = last.activity_seq;
    const explanation = await explainMonth(snapshot, { month, before, after: books, since });
    changed.set(month, { books, restated: { since, changes, explanation } });
  }
  return changed;
}

/** What months are to be published with, and the state that it is of. */
export interface NewMonths {
  readonly state: State;
  readonly months: ReadonlyMap<string, CurrentMonth>;
}

/**
 * Closes or restates months. The caller holds the lock on the activity of the ledger.
 * @param runDay of the nightly run, `2026-04-16`
 * @returns the number of months that were closed or restated
 * @throws Error if another run has published one of them since
 */
export async function publishMonths(
  tx: LedgerWriter,
  { state, months }: NewMonths,
  runDay: string,
): Promise<number> {
  const published = await selectPublishedMonths(tx, [...months.keys()]);
  const since = new Map(published.map(({ month, activity_seq }) => [month, activity_seq]));
  for (const [month, current] of months) {
    if (since.get(month) !== current.restated?.since) {
      throw new Error(`another run has published ${month}`);
    }
    await publish(tx, month, current, { state, runDay });
    await deleteFormerCounts(tx, spanOfMonth(month), state.activity_seq);
  }
  return months.size;
}

async function publish(
  tx: LedgerWriter,
  month: string,
  { books, restated }: CurrentMonth,
  { state, runDay }: { readonly state: State; readonly runDay: string },
): Promise<void> {
  const { as_of, activity_seq, activity_hash } = state;
  const data = { month, as_of, activity_seq, activity_hash, figures: books };
  const common = { actor: 'engine', subject: month };
  const stored = { month, figures: JSON.stringify(books), state };
  if (restated === null) {
    const at = await recordActivity(tx, { type: 'month.closed', ...common, data });
    await insertClosed(tx, stored, at);
    return;
  }
  const { changes, explanation } = restated;
  const at = await recordActivity(tx, {
    ...{ type: 'month.restated', ...common },
    data: { ...data, changes: changes.map((change) => ({ ...change })), explanation },
  });
  const texts = { changes: JSON.stringify(changes), explanation: JSON.stringify(explanation) };
  await insertRestatement(tx, { ...stored, ...texts }, runDay, at);
}
