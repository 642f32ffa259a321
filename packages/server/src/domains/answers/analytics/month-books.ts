import { type FigureChange, MonthBooks } from '@decision-ledger/contract/analytics-months';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { readConversion, type State } from './consistent.js';
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

/** Current figures of months, and the state that they are of. */
export interface StoredBooks {
  readonly state: State;
  readonly books: ReadonlyMap<string, MonthBooks>;
}

/**
 * Closes months, or restates those whose figures differ from those last published. The caller holds the lock on the
 * activity of the ledger.
 * @param runDay of the nightly run, `2026-04-16`
 * @returns the number of months that were closed or restated
 */
export async function publishMonths(
  tx: LedgerWriter,
  { state, books }: StoredBooks,
  runDay: string,
): Promise<number> {
  const published = await selectPublishedMonths(tx, [...books.keys()]);
  const before = new Map(published.map(({ month, figures }) => [month, figures]));
  let written = 0;
  for (const [month, own] of books) {
    const old = before.get(month);
    const changes = old === undefined ? null : figureChanges(readStoredBooks(old), own);
    if (changes?.length === 0) continue;
    await publish(tx, { month, books: own, state, changes, runDay });
    written += 1;
  }
  return written;
}

interface Publication {
  readonly month: string;
  readonly books: MonthBooks;
  readonly state: State;
  /** Null for a month that is closed now. */
  readonly changes: readonly FigureChange[] | null;
  readonly runDay: string;
}

async function publish(
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
