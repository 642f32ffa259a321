import type { PnlRow } from '@decision-ledger/contract/analytics-rows';
import { minorUnits } from '@decision-ledger/contract/currency';
import {
  absolute,
  type Fraction,
  isBelow,
  NOTHING,
  negative,
  parse,
  plus,
  rounded,
  times,
  total,
} from './fraction.js';

/**
 * The figures of a profit and loss, recomputed from its rows with whole numbers: total, then labels,
 * then link types, then groups, each rounded by largest remainder to the one above it.
 */

const LABELS = ['confirmed', 'matched', 'guessed'] as const;
type Label = (typeof LABELS)[number];
const TYPES = ['revenue', 'saving', 'cost', 'refund', 'loss'] as const;
const NAMES = ['revenue', 'savings', 'costs', 'refunds', 'losses'] as const;

/** A whole number of minor units. */
type Units = bigint;

const scale = (value: Fraction, digits: number): Fraction =>
  times(value, { n: 10n ** BigInt(digits), d: 1n });

function floorOf({ n, d }: Fraction): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

/** Rounds half to even, by the printed text. */
const unitsOf = (value: Fraction, digits: number): Units =>
  BigInt(rounded(value, digits).replace('.', ''));

/** Gives each part its floor, then one unit at a time to the largest remainder, the first of equals. */
function largestRemainder(parts: readonly Fraction[], units: Units, digits: number): Units[] {
  const scaled = parts.map((part) => scale(part, digits));
  const result = scaled.map(floorOf);
  const left = scaled.map((part, at) => plus(part, { n: -(result[at] ?? 0n), d: 1n }));
  for (let missing = units - result.reduce((a, b) => a + b, 0n); missing > 0n; missing -= 1n) {
    let best = 0;
    for (const [at, one] of left.entries()) if (isBelow(left[best] ?? NOTHING, one)) best = at;
    result[best] = (result[best] ?? 0n) + 1n;
    left[best] = { n: -1n, d: 1n };
  }
  return result;
}

const textOf = (units: Units, currency: string): string =>
  rounded({ n: units, d: 10n ** BigInt(minorUnits(currency)) }, minorUnits(currency));

/** The units of each label and link type. */
type Cells = Readonly<Record<string, Units>>;

const convertedOf = ({ converted_amount }: PnlRow): Fraction => parse(converted_amount ?? '0');
const sumOf = (rows: readonly PnlRow[], of = convertedOf): Fraction => total(rows.map(of));
const nameOf = (label: string, type: string) => `${label} ${type}`;
const CELLS = LABELS.flatMap((label) => TYPES.map((type) => nameOf(label, type)));
const cellOf = ({ label, link_type }: PnlRow) => nameOf(label, link_type ?? '');

function figuresOf(cells: Cells, labels: readonly Label[], currency: string) {
  const units = TYPES.map((type) =>
    labels.reduce((sum, label) => sum + (cells[nameOf(label, type)] ?? 0n), 0n),
  );
  const net = units.reduce((a, b) => a + b, 0n);
  return Object.fromEntries([
    ...NAMES.map((name, at) => [name, textOf(units[at] ?? 0n, currency)]),
    ['net', textOf(net, currency)],
  ]);
}

const labelledOf = (cells: Cells, currency: string) => ({
  expected: figuresOf(cells, ['confirmed', 'matched'], currency),
  confirmed: figuresOf(cells, ['confirmed'], currency),
  matched: figuresOf(cells, ['matched'], currency),
  guessed: figuresOf(cells, ['guessed'], currency),
});

function booksOf(rows: readonly PnlRow[], base: string, hasRest: boolean) {
  const digits = minorUnits(base);
  const here = rows.filter(({ converted_amount }) => converted_amount !== null);
  const labels = hasRest ? [...LABELS, 'unattributed'] : LABELS;
  const parts = labels.map((label) => sumOf(here.filter((row) => row.label === label)));
  const whole = unitsOf(total(parts), digits);
  const printed = largestRemainder(parts, whole, digits);
  const cells: Record<string, Units> = {};
  for (const [at, label] of LABELS.entries()) {
    const own = TYPES.map((type) =>
      sumOf(here.filter((row) => row.label === label && row.link_type === type)),
    );
    const units = largestRemainder(own, printed[at] ?? 0n, digits);
    for (const [index, type] of TYPES.entries()) cells[nameOf(label, type)] = units[index] ?? 0n;
  }
  return { cells, whole, unattributed: printed[LABELS.length] ?? null };
}

/** Groups of rows by key, in order; each column of cells adds up to the cell of the whole. */
function groupsOf(
  rows: readonly PnlRow[],
  whole: Cells,
  base: string,
  keyOf: (row: PnlRow) => string,
): { key: string; cells: Cells; rows: PnlRow[] }[] {
  const linked = rows.filter(
    ({ label, converted_amount }) => label !== 'unattributed' && converted_amount !== null,
  );
  const keys = [...new Set(linked.map(keyOf))].sort();
  const columns = CELLS.map((cell) => {
    const parts = keys.map((key) =>
      sumOf(linked.filter((row) => keyOf(row) === key && cellOf(row) === cell)),
    );
    return largestRemainder(parts, whole[cell] ?? 0n, minorUnits(base));
  });
  return keys.map((key, index) => ({
    key,
    rows: linked.filter((row) => keyOf(row) === key),
    cells: Object.fromEntries(CELLS.map((cell, at) => [cell, columns[at]?.[index] ?? 0n])),
  }));
}

/** Names of the groups of a row that the row itself does not state. */
export interface KeyOf {
  readonly agent: (row: PnlRow) => string;
  readonly actionType: (row: PnlRow) => string;
  /** A blank last key stands for no customer. */
  readonly customer: (row: PnlRow) => string | null;
}

const monthOf = ({ timestamp }: PnlRow) => timestamp.slice(0, 7);
const QUARTER = ['Q1', 'Q1', 'Q1', 'Q2', 'Q2', 'Q2', 'Q3', 'Q3', 'Q3', 'Q4', 'Q4', 'Q4'];
const quarterOf = ({ timestamp }: PnlRow) =>
  `${timestamp.slice(0, 4)}-${QUARTER[Number(timestamp.slice(5, 7)) - 1]}`;

/** Comes after every other name. */
const NOBODY = '\uffff';

/** What GET /analytics/ai-pnl must print for these rows. */
export function expectedBooks(
  rows: readonly PnlRow[],
  base: string,
  hasRest: boolean,
  keyOf: KeyOf,
) {
  const { cells, whole, unattributed } = booksOf(rows, base, hasRest);
  const print = (own: readonly { key: string; cells: Cells }[]) =>
    own.map(({ key, cells: units }) => ({ key, ...labelledOf(units, base) }));
  const quarters = groupsOf(rows, cells, base, quarterOf);
  const months = quarters.flatMap((one) => groupsOf(one.rows, one.cells, base, monthOf));
  const customers = groupsOf(rows, cells, base, (row) => keyOf.customer(row) ?? NOBODY);
  return {
    ...labelledOf(cells, base),
    unattributed: hasRest ? textOf(unattributed ?? 0n, base) : null,
    total: hasRest ? textOf(whole, base) : null,
    by_agent: print(groupsOf(rows, cells, base, keyOf.agent)),
    by_action_type: print(groupsOf(rows, cells, base, keyOf.actionType)),
    by_quarter: print(quarters),
    by_month: print(months).map((month) => ({ ...month, closed_at: null, restated_at: null })),
    by_customer: print(customers).map((one) => ({
      ...one,
      key: one.key === NOBODY ? null : one.key,
    })),
  };
}

/** The parts of the events of each currency in that currency. */
export function expectedCurrencies(
  rows: readonly PnlRow[],
  currencies: readonly string[],
  hasRest: boolean,
) {
  return [...new Set(currencies)].sort().map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const digits = minorUnits(currency);
    const sum = (isOne: (row: PnlRow) => boolean) =>
      sumOf(own.filter(isOne), ({ amount }) => parse(amount));
    const parts = [
      ...[...LABELS, 'unattributed'].map((label) =>
        sum((row) => row.rate !== null && row.label === label),
      ),
      sum(({ rate, label }) => rate === null && label !== 'unattributed'),
      sum(({ rate, label }) => rate === null && label === 'unattributed'),
    ];
    const whole = unitsOf(total(parts), digits);
    const units = largestRemainder(parts, whole, digits);
    const text = (...at: number[]) =>
      textOf(
        at.reduce((before, index) => before + (units[index] ?? 0n), 0n),
        currency,
      );
    return {
      linkedWithoutRate: text(4),
      unlinkedWithoutRate: text(5),
      books: {
        ...{ currency, confirmed: text(0), matched: text(1), guessed: text(2) },
        unattributed: hasRest ? text(3) : null,
        unconverted: text(4, 5),
        total: hasRest ? textOf(whole, currency) : null,
      },
    };
  });
}

/** Whether two fractions differ by at most a unit of the twelfth decimal for each link of an event. */
export function isNear(a: Fraction, b: Fraction): boolean {
  return isBelow(absolute(plus(a, negative(b))), { n: 1n, d: 10n ** 11n });
}
