import { isBooks } from '@decision-ledger/proof/movement';
import { apartBy, bookedFirst, isBank, isEqual, isOfOneKind, REFERRED_MS } from './likeness.js';
import type { Report } from './report.js';
import { sumOf } from './transaction.js';

/** Whether a posting may be the late record of a report, as far as they say. */
export const mayBeLate = (posting: Report, report: Report): boolean =>
  !isBooks(report.source) &&
  !posting.isOwn &&
  apartBy(posting, report) <= REFERRED_MS &&
  isEqual(posting, report) &&
  isOfOneKind(posting, report);

/**
 * Those that are asked about first: of each way in which reports may be of a posting's money the nearest one, then the rest. So
 * the sales of one source, or what fees left of another price, do not hide the only one of another source, or of the price itself.
 * @param most so many of them
 */
export function nearestTo(posting: Report, reports: readonly Report[], most: number): Report[] {
  const near = [...reports].sort(
    (a, b) =>
      fromDayOf(posting, a) - fromDayOf(posting, b) ||
      a.timestamp - b.timestamp ||
      (a.id < b.id ? -1 : 1),
  );
  const isStated = ({ amount, currency }: Report) => posting.sums.has(sumOf(amount, currency));
  const firsts = new Map<string, Report>();
  for (const report of [...near.filter(isStated), ...near]) {
    const way = `${isStated(report)} ${report.source}`;
    if (!firsts.has(way)) firsts.set(way, report);
  }
  return [...new Set([...firsts.values(), ...near])].slice(0, most);
}

/** The time between the day of a posting and another report: books state days. */
function fromDayOf(posting: Report, report: Report): number {
  const { earliest, latest } = posting.span;
  const span = { earliest, latest: Math.max(latest, earliest + DAY_MS) };
  return apartBy({ ...posting, span }, report);
}

const DAY_MS = 86_400_000;

/** The days of books and of others begin at different times. */
const EARLY_MS = DAY_MS;

/**
 * Whether books have a day for money that others saw move only later. They state what has happened; of a line of a bank, or of
 * money between own accounts, the days differ in both directions.
 */
export function isBookedEarly(one: Report, other: Report): boolean {
  const [booked, moved] = bookedFirst([one, other]);
  if (!isBooks(booked.source) || isBooks(moved.source) || isBank(moved.source)) return false;
  if (booked.isOwn || moved.isOwn) return false;
  const end = booked.timestamp + booked.span.latest;
  return moved.timestamp + moved.span.earliest - end > EARLY_MS;
}
