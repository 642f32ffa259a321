import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
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
  /** Of `own`: sales of which nobody says what they are without tax. */
  readonly may_include_tax: string;
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

const DOWN = 0;
const AWAY_FROM_ZERO = 3;

/**
 * Rounds parts so that they add up to a printed total (largest remainder): each part is rounded down,
 * and the units that are missing go to the parts that lost most, the earlier one first. Each part
 * becomes one of the two multiples of the unit next to it; a multiple stays.
 * @param parts exact decimals
 * @param total multiple of the unit, less than one unit from the sum of the parts
 * @param digits decimals of the unit
 * @throws RangeError if the parts do not add up to the total, within less than one unit
 */
export function apportion(parts: readonly Big[], total: Big, digits: number): Big[] {
  const floors = parts.map((part) => part.round(digits, part.lt(0) ? AWAY_FROM_ZERO : DOWN));
  const missing = floors.reduce((rest, floor) => rest.minus(floor), total);
  const units = missing.times(new Big(10).pow(digits)).toNumber();
  const losers = parts
    .map((part, index) => ({ index, lost: part.minus(floors[index] ?? 0) }))
    .filter(({ lost }) => lost.gt(0))
    .sort((a, b) => b.lost.cmp(a.lost) || a.index - b.index);
  if (!Number.isInteger(units) || units < 0 || units > losers.length) {
    throw new RangeError('the parts do not add up to the total');
  }
  const unit = new Big(10).pow(-digits);
  const raised = new Set(losers.slice(0, units).map(({ index }) => index));
  return floors.map((floor, index) => (raised.has(index) ? floor.plus(unit) : floor));
}

/** A part of a figure, and the groups within groups that it belongs to, from the widest. */
export interface PathedPart {
  readonly path: readonly string[];
  readonly amount: Big;
}

/**
 * Rounds parts so that they add up to a printed total, and so do the groups of each level: first the
 * widest groups, then the parts of each.
 * @param parts exact decimals with paths that differ, in the order of their groups
 * @param whole multiple of the unit, less than one unit from the sum of the parts
 * @param digits decimals of the unit
 * @throws RangeError if the parts do not add up to the total, within less than one unit
 */
export function apportionTree(
  parts: readonly PathedPart[],
  whole: Big,
  digits: number,
  level = 0,
): Big[] {
  const groups = new Map<string, number[]>();
  for (const [index, { path }] of parts.entries()) {
    const name = path[level] ?? `part ${index}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  const members = [...groups.values()];
  const sums = members.map((own) => sumAmounts(own.map((index) => parts[index]?.amount ?? ZERO)));
  const printed = apportion(sums, whole, digits);
  const rounded = new Array<Big>(parts.length).fill(ZERO);
  for (const [at, own] of members.entries()) {
    const sum = printed[at] ?? ZERO;
    const nested = own.flatMap((index) => parts[index] ?? []);
    const parted = own.length === 1 ? [sum] : apportionTree(nested, sum, digits, level + 1);
    for (const [place, index] of own.entries()) rounded[index] = parted[place] ?? ZERO;
  }
  return rounded;
}
