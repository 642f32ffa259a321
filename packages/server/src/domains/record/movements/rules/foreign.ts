import { isBooks } from '@decision-ledger/proof/movement';
import { isContrary } from './contradictions.js';
import { areWorthOne, isNear, isOfOneKind, RATE_TOLERANCE } from './likeness.js';
import { hashOf, type Report } from './report.js';

/** Whether the books may have a report in another currency, of which nothing but the rate of the day speaks. */
export const mayBeForeign = (posting: Report, report: Report): boolean =>
  !isBooks(report.source) &&
  posting.sign !== 0 &&
  posting.sign === report.sign &&
  areWorthOne(posting, report) &&
  isNear(posting, report) &&
  isOfOneKind(posting, report) &&
  !isContrary(posting, report);

type Worth = Pick<Report, 'source' | 'currency' | 'worth'>;

/** Reports that are worth the same have one step, or are beside the edge of one. */
const STEP = -4 * Math.log(1 - RATE_TOLERANCE);

/** What a report is found by in other currencies: one of the books by others, and others by the books. */
export const worthKeysOf = ({ source, currency, worth }: Worth): string[] =>
  isWorth(worth) ? [worthKey(isBooks(source), currency, Math.log(worth))] : [];

/** What those in some currencies are found by that are worth the same as a report. */
export function worthSearchesOf(
  { source, currency, worth }: Worth,
  all: Iterable<string>,
): string[] {
  if (!isWorth(worth)) return [];
  const size = Math.log(worth);
  return [...all].flatMap((other) => {
    if (other === currency) return [];
    const edges = [size - STEP / 4, size + STEP / 4];
    return [...new Set(edges.map((edge) => worthKey(!isBooks(source), other, edge)))];
  });
}

const isWorth = (worth: number | null): worth is number => worth !== null && worth > 0;

const worthKey = (isBooked: boolean, currency: string, size: number): string =>
  hashOf(`worth ${isBooked ? 'booked' : 'moved'} ${currency} ${Math.floor(size / STEP)}`);
