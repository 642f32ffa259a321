import { isBooks } from '@decision-ledger/proof/movement';
import { apartBy, bookedFirst, isBank, isEqual, isOfOneKind, REFERRED_MS } from './likeness.js';
import type { Report } from './report.js';

/** Whether a posting may be the late record of a report, as far as they say. */
export const mayBeLate = (posting: Report, report: Report): boolean =>
  !isBooks(report.source) &&
  !posting.isOwn &&
  apartBy(posting, report) <= REFERRED_MS &&
  isEqual(posting, report) &&
  isOfOneKind(posting, report);

/** Those that are the nearest in time to a posting. */
export const nearestTo = (posting: Report, reports: readonly Report[], most: number) =>
  [...reports]
    .sort((a, b) => apartBy(posting, a) - apartBy(posting, b) || (a.id < b.id ? -1 : 1))
    .slice(0, most);

/** The days of books and of others begin at different times. */
const EARLY_MS = 86_400_000;

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
