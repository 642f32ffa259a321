import type { Books, CurrencyBooks, Figures } from '@decision-ledger/contract/analytics-figures';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import {
  apportion,
  type Cells,
  type EventSum,
  LABELS,
  type Label,
  LINK_TYPES,
  type LinkedSum,
  type LinkType,
  type RoundedBooks,
  roundBooks,
  sumAmounts,
  ZERO,
} from './books.js';
import { HALF_EVEN, printAmount } from './money.js';

/** The figures of rounded cells. */
export function printCells(cells: Cells<Big>, currency: string) {
  const of = (labels: readonly Label[]): Figures => {
    const cell = (type: LinkType) => sumAmounts(labels.map((label) => cells[label][type]));
    return {
      revenue: printAmount(cell('revenue'), currency),
      savings: printAmount(cell('saving'), currency),
      costs: printAmount(cell('cost'), currency),
      refunds: printAmount(cell('refund'), currency),
      losses: printAmount(cell('loss'), currency),
      net: printAmount(sumAmounts(LINK_TYPES.map(cell)), currency),
    };
  };
  return {
    expected: of(['confirmed', 'matched']),
    confirmed: of(['confirmed']),
    matched: of(['matched']),
    guessed: of(['guessed']),
  };
}

export interface PrintedBooks {
  readonly rounded: RoundedBooks;
  readonly books: Books;
}

/** A sum of allocations, of whatever time. */
type AnySum = Omit<LinkedSum, 'month'>;

/**
 * The books of a range, in the base currency and in the currencies of the events.
 * @param events null if the analysis is limited to some links
 */
export function printBooks(
  currency: string,
  linked: readonly AnySum[],
  events: readonly EventSum[] | null,
): PrintedBooks {
  const rounded = roundBooks(currency, linked, events);
  const all = [...linked, ...(events ?? [])];
  const currencies = [...new Set(all.map((row) => row.currency))].sort();
  const own = currencies.map((one) => ownBooks(one, ofCurrency(linked, one), of(events, one)));
  const printed = (amount: Big | null) => (amount === null ? null : printAmount(amount, currency));
  return {
    rounded,
    books: {
      ...printCells(rounded.cells, currency),
      unattributed: printed(rounded.unattributed),
      total: printed(rounded.total),
      unconverted: own.flatMap(({ unlinked: _, linked: amounts }) => amounts),
      unattributed_unconverted: own.flatMap(({ unlinked }) => unlinked),
      by_currency: own.map(({ books }) => books),
    },
  };
}

const ofCurrency = <Row extends { readonly currency: string }>(
  rows: readonly Row[],
  currency: string,
): Row[] => rows.filter((row) => row.currency === currency);

const of = (events: readonly EventSum[] | null, currency: string): EventSum[] | null =>
  events === null ? null : ofCurrency(events, currency);

interface OwnBooks {
  readonly books: CurrencyBooks;
  /** Linked amounts that no rate converts: none or one. */
  readonly linked: Books['unconverted'];
  readonly unlinked: Books['unconverted'];
}

/** The parts of the events of one currency, which add up to its printed total. */
function ownBooks(
  currency: string,
  linked: readonly AnySum[],
  events: readonly EventSum[] | null,
): OwnBooks {
  const digits = minorUnits(currency);
  const [here, left] = [linked.filter(isConverted), linked.filter(isUnconverted)];
  const labels = LABELS.map((label) => ownSum(here.filter((row) => row.label === label)));
  const rest = (rows: readonly EventSum[], taken: readonly AnySum[]) =>
    ownSum(rows).minus(ownSum(taken));
  const parts = [
    ...labels,
    events === null ? ZERO : rest(events.filter(isConverted), here),
    ownSum(left),
    events === null ? ZERO : rest(events.filter(isUnconverted), left),
  ];
  const whole = sumAmounts(parts).round(digits, HALF_EVEN);
  const [confirmed, matched, guessed, free, taken, open] = apportion(parts, whole, digits);
  const text = (amount: Big | undefined) => printAmount(amount ?? ZERO, currency);
  return {
    books: {
      currency,
      confirmed: text(confirmed),
      matched: text(matched),
      guessed: text(guessed),
      unattributed: events === null ? null : text(free),
      unconverted: text(taken?.plus(open ?? ZERO)),
      total: events === null ? null : text(whole),
    },
    linked: left.length === 0 ? [] : [{ currency, amount: text(taken) }],
    unlinked: events?.some(isUnconverted) ? [{ currency, amount: text(open) }] : [],
  };
}

const isConverted = ({ is_converted }: AnySum | EventSum): boolean => is_converted;
const isUnconverted = ({ is_converted }: AnySum | EventSum): boolean => !is_converted;

const ownSum = (rows: readonly { readonly own: string }[]): Big =>
  sumAmounts(rows.map(({ own }) => new Big(own)));
