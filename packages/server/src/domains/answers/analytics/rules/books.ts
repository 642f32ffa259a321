import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { apportion } from './apportion.js';
import { HALF_EVEN } from './money.js';

export const LABELS = ['confirmed', 'matched', 'guessed'] as const;
export type Label = (typeof LABELS)[number];

export const LINK_TYPES = ['revenue', 'saving', 'cost', 'refund', 'loss'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** A sum of allocations. */
export interface LabelledSum {
  readonly label: Label;
  readonly link_type: LinkType;
  /** Decimal text in the base currency; null if no rate converts it. */
  readonly amount: string | null;
}

/** Sums of allocations of a month in one currency. */
export interface LinkedSum extends LabelledSum {
  /** Month of the events, UTC: `2026-04`. */
  readonly month: string;
  readonly currency: string;
  readonly is_converted: boolean;
  /** Decimal text in `currency`. */
  readonly own: string;
}

/** Sums of the counted amounts of events. */
export interface EventSum {
  readonly month: string;
  readonly currency: string;
  readonly is_converted: boolean;
  readonly own: string;
  readonly amount: string | null;
}

/** Money by label and link type. */
export type Cells<Value> = Readonly<Record<Label, Readonly<Record<LinkType, Value>>>>;

/** @param make called for each label and link type */
export function cellsBy<Value>(make: (label: Label, type: LinkType) => Value): Cells<Value> {
  const ofLabel = (label: Label) => ({
    revenue: make(label, 'revenue'),
    saving: make(label, 'saving'),
    cost: make(label, 'cost'),
    refund: make(label, 'refund'),
    loss: make(label, 'loss'),
  });
  return {
    confirmed: ofLabel('confirmed'),
    matched: ofLabel('matched'),
    guessed: ofLabel('guessed'),
  };
}

/** The exact sums of what a rate converts, in the base currency. */
export function cellsOf(rows: readonly LabelledSum[]): Cells<Big> {
  const sums = new Map<string, Big>();
  for (const { label, link_type, amount } of rows) {
    if (amount === null) continue;
    const name = `${label} ${link_type}`;
    sums.set(name, (sums.get(name) ?? ZERO).plus(amount));
  }
  return cellsBy((label, type) => sums.get(`${label} ${type}`) ?? ZERO);
}

/** The exact sum of the types of a label. */
export const netOf = (cells: Cells<Big>, label: Label): Big =>
  sumAmounts(LINK_TYPES.map((type) => cells[label][type]));

export const ZERO = new Big(0);
export const sumAmounts = (all: readonly Big[]): Big =>
  all.reduce((before, one) => before.plus(one), ZERO);

/** The books of a range, rounded: every level adds up to the one above it. */
export interface RoundedBooks {
  readonly currency: string;
  readonly cells: Cells<Big>;
  readonly unattributed: Big | null;
  readonly total: Big | null;
}

/**
 * Rounds the total half to even; the nets of the labels and the unattributed money add up to it, and
 * the types of each label to its net.
 * @param events null if the analysis is limited to some links: nothing is known of the rest then
 */
export function roundBooks(
  currency: string,
  linked: readonly LabelledSum[],
  events: readonly EventSum[] | null,
): RoundedBooks {
  const digits = minorUnits(currency);
  const exact = cellsOf(linked);
  const nets = LABELS.map((label) => netOf(exact, label));
  const parts =
    events === null ? nets : [...nets, sumAmounts(amountsOf(events)).minus(sumAmounts(nets))];
  const whole = sumAmounts(parts).round(digits, HALF_EVEN);
  const printed = apportion(parts, whole, digits);
  const byLabel = LABELS.map((label, index) => {
    const own = LINK_TYPES.map((type) => exact[label][type]);
    return apportion(own, printed[index] ?? ZERO, digits);
  });
  return {
    currency,
    cells: cellsBy(
      (label, type) => byLabel[LABELS.indexOf(label)]?.[LINK_TYPES.indexOf(type)] ?? ZERO,
    ),
    unattributed: events === null ? null : (printed[LABELS.length] ?? ZERO),
    total: events === null ? null : whole,
  };
}

const amountsOf = (events: readonly EventSum[]): Big[] =>
  events.flatMap(({ amount }) => (amount === null ? [] : [new Big(amount)]));
