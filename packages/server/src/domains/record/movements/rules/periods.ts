import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { Big } from 'big.js';
import { areKindsAlike, isBank } from './likeness.js';
import type { Report } from './report.js';
import { type Sum, sumOf } from './transaction.js';

/** Days are counted from 1970-01-01, a Thursday. */
export type Day = number;

/** A day, a week from Monday to Sunday, or a month. */
export interface Period {
  readonly unit: 'day' | 'week' | 'month';
  readonly first: Day;
  readonly last: Day;
}

/** What one source reported of one kind, direction and currency, and how many reports that are. */
interface Amount {
  readonly source: string;
  readonly currency: string;
  readonly kind: MoneyKind;
  readonly sign: number;
  readonly count: number;
  /** Decimal text without sign. */
  readonly amount: string;
}

/** An amount of all reports of a period. */
export interface Total extends Period, Amount {}

/** A total, with what a report of the whole would state of it. */
export interface StatedTotal extends Total {
  readonly sum: Sum;
}

/** The kinds that are added up. */
const ADDED: ReadonlySet<MoneyKind> = new Set(['sale', 'refund', 'fee', 'cost']);

/** Whether the money of a report is added up with that of its source's others. A line of a bank does not say what it is for. */
export const isAdded = ({ kind, sign, isOwn, source }: Report): boolean =>
  !isOwn && sign !== 0 && (ADDED.has(kind) || (kind === 'other' && isBank(source)));

/** Whether a report of books or a bank may be of all that another source reports of a period. */
export const mayBeAll = ({ sign, isOwn, kind }: Report): boolean =>
  !isOwn && sign !== 0 && (ADDED.has(kind) || kind === 'other');

/** A sum comes so many days after the end of its period at most: a bill of a month comes in the next one. */
const LATE: Readonly<Record<Period['unit'], number>> = { day: 4, week: 4, month: 45 };
/** The days of two sources begin at different times. */
const EARLY = 1;

const isInTime = (day: Day, { unit, first, last }: Period): boolean =>
  day >= first - EARLY && day <= last + LATE[unit];

/** The days on which a sum of a period may be reported. */
export const daysOf = ({ unit, first, last }: Period): readonly [Day, Day] => [
  first - EARLY,
  last + LATE[unit],
];

const DAY = 86_400_000;

/** Whole months that have all periods of which a report of a day may be the sum. */
export function reachOf(day: Day): readonly [Day, Day] {
  const date = new Date(day * DAY);
  const startOf = (month: number) =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + month, 1) / DAY;
  return [startOf(-2), startOf(2) - 1];
}

/**
 * What a report of the whole of a period would state: the total of at least two reports, of sales also less the fees or costs,
 * if there is one for each of them.
 * @param totals all of each period and source
 */
export function statedTotals(totals: readonly Total[]): StatedTotal[] {
  const kept = new Map<string, Total[]>();
  for (const total of totals.filter(isKept)) {
    kept.set(placeOf(total), [...(kept.get(placeOf(total)) ?? []), total]);
  }
  return totals
    .filter(({ count }) => count > 1)
    .flatMap((total) => {
      const nets = isSale(total) ? netsOf(total, kept.get(placeOf(total)) ?? []) : [];
      return [total.amount, ...nets].map((amount) => ({
        ...{ ...total, sum: sumOf(amount, total.currency) },
      }));
    });
}

const isSale = ({ kind, sign }: Total): boolean => kind === 'sale' && sign === 1;
/** Own code calls a fee a cost. */
const isKept = ({ kind, sign }: Total): boolean =>
  (kind === 'fee' || kind === 'cost') && sign === -1;
const placeOf = ({ source, currency, unit, first }: Total): string =>
  JSON.stringify([source, currency, unit, first]);

function netsOf({ amount, count }: Total, kept: readonly Total[]): string[] {
  return kept
    .filter((fees) => fees.count === count && new Big(amount).gt(fees.amount))
    .map((fees) => new Big(amount).minus(fees.amount).toFixed());
}

/**
 * The totals that a report may be all of. Of one that is the same in a day, its week and its month, the shortest one is told.
 * @param day of the report
 * @param totals of any sources and periods that are whole
 */
export function totalsFor(
  whole: Report,
  day: Day,
  totals: readonly StatedTotal[],
): readonly StatedTotal[] {
  const fitting = totals
    .filter(
      (one) =>
        one.source !== whole.source &&
        one.sign === whole.sign &&
        areKindsAlike(one.kind, whole.kind) &&
        whole.sums.has(one.sum) &&
        isInTime(day, one),
    )
    .sort(byLength);
  return fitting.filter(
    (one, at) => !fitting.slice(0, at).some((shorter) => isOfSameReports(shorter, one)),
  );
}

const isOfSameReports = (shorter: Total, one: Total): boolean =>
  shorter.source === one.source &&
  shorter.kind === one.kind &&
  shorter.count === one.count &&
  shorter.first >= one.first &&
  shorter.last <= one.last;

const lengthOf = ({ first, last }: Period): number => last - first;

const byLength = (one: Total, other: Total): number =>
  lengthOf(one) - lengthOf(other) ||
  other.last - one.last ||
  (one.source === other.source ? compare(one.kind, other.kind) : compare(one.source, other.source));

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
