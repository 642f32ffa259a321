import type { Group, Pnl } from '@decision-ledger/contract/analytics';
import { cellsOf, type LinkedSum, type RoundedBooks } from './books.js';
import { groupBy, type KeyedCells, roundGroups } from './groups.js';
import { printCells } from './print-books.js';

/** When a month was closed and last restated: RFC 3339. */
export interface Closing {
  readonly month: string;
  readonly closed_at: string;
  readonly restated_at: string | null;
}

/** The figures of quarters add up to the books, those of months to their quarter. */
export function printPeriods(
  linked: readonly LinkedSum[],
  books: RoundedBooks,
  closings: readonly Closing[],
): Pick<Pnl, 'by_month' | 'by_quarter'> {
  const rows = linked.filter(({ amount }) => amount !== null);
  const byQuarter = groupBy(rows, ({ month }) => quarterOf(month));
  const quarters = roundGroups(exactly(byQuarter), books.cells, books.currency);
  const months = quarters.flatMap(({ key, cells }) => {
    const own = groupBy(byQuarter.get(key) ?? [], ({ month }) => month);
    return roundGroups(exactly(own), cells, books.currency);
  });
  const byMonth = new Map(closings.map((closing) => [closing.month, closing]));
  const describe = ({ key, cells }: KeyedCells<string>): Group => ({
    key,
    ...printCells(cells, books.currency),
  });
  return {
    by_quarter: quarters.map(describe),
    by_month: months.map((month) => ({
      ...describe(month),
      closed_at: byMonth.get(month.key)?.closed_at ?? null,
      restated_at: byMonth.get(month.key)?.restated_at ?? null,
    })),
  };
}

/** @param month `2026-04` */
function quarterOf(month: string): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`;
}

/** By key. */
function exactly(groups: ReadonlyMap<string, readonly LinkedSum[]>): KeyedCells<string>[] {
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => ({ key, cells: cellsOf(own) }));
}

const DAY = 86_400_000;

/**
 * The first month (UTC, `2026-04`) that stays open: all earlier ones ended `days` days ago or more.
 * @param now ms
 */
export function firstOpenMonth(now: number, days: number): string {
  return new Date(now - days * DAY).toISOString().slice(0, 7);
}

/** The times (ms) of the start of a month (`2026-04`), and of the next. */
export function spanOfMonth(month: string): { readonly start: number; readonly end: number } {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const at = (index: number) => new Date(0).setUTCFullYear(year, index, 1);
  return { start: at(number - 1), end: at(number) };
}
