import type { AmountFit } from '@decision-ledger/contract/explanation';
import type { ComparedEvent } from './comparison.js';
import type { HashedAmount } from './hashed-features.js';

/** Whether the amount of the event is stated. */
export const STATED_AMOUNT: { readonly [Fit in AmountFit]: 'equal' | 'other' | 'none' } = {
  equal: 'equal',
  minor: 'equal',
  converted: 'equal',
  sum: 'equal',
  part: 'equal',
  below: 'other',
  other: 'other',
  none: 'none',
};

/** Whether the amount itself is stated, in units or in minor units. */
export const statesAmount = (fit: AmountFit): boolean => fit === 'equal' || fit === 'minor';

export interface FittedAmount {
  readonly fit: AmountFit;
  /** How many comparisons could have fitted by chance. */
  readonly chances: number;
  /** Whether the event moves more than any amount of which it is a part: a surcharge. */
  readonly isAbove?: boolean;
}

const NONE: FittedAmount = { fit: 'none', chances: 1 };
/** Beyond this many, pairs are not added up. */
const MAX_ADDENDS = 12;
/** Equal instalments. */
const INSTALMENTS = [2, 3, 4, 5, 6, 8, 9, 10, 12, 18, 24, 36, 48];
/** Usual rates of taxes and fees, in thousandths. */
const RATES = [
  ...[10, 15, 20, 25, 29, 30, 35, 50, 55, 60, 70, 75, 77, 80, 81, 100, 120, 130, 140, 150, 160],
  ...[175, 180, 190, 200, 210, 220, 230, 240, 250, 255, 270, 300, 500],
];
const CONVERSION_TOLERANCE = 0.01;

export function fitAmounts(event: ComparedEvent, amounts: readonly HashedAmount[]): FittedAmount {
  const target = event.minorUnits;
  if (target === null || amounts.length === 0) return NONE;
  const money = amounts.filter(({ isMoney }) => isMoney);
  const same = amounts.filter(({ currency }) => currency === null || currency === event.currency);
  const equal = same.filter((amount) => isEqual(event, amount, target));
  if (equal.length > 0) {
    const isMoney = equal.some((amount) => amount.isMoney);
    return { fit: 'equal', chances: isMoney ? money.length : amounts.length };
  }
  if (same.some(({ unit, value }) => unit === 'unknown' && value === target)) {
    return { fit: 'minor', chances: amounts.length };
  }
  if (money.some((amount) => isConverted(event, amount, target))) {
    return { fit: 'converted', chances: money.length };
  }
  const stated = money
    .filter(({ currency }) => currency === null || currency === event.currency)
    .map((amount) => minorOf(event, amount));
  const rates = amounts.filter(({ value }) => value > 0 && value < 100).map(({ value }) => value);
  const wholes = same.map((amount) => minorOf(event, amount));
  if (isStatedRate(wholes, rates, target)) {
    return { fit: 'sum', chances: wholes.length * rates.length };
  }
  const isSum = sums(stated).includes(target);
  if (isSum) return { fit: 'sum', chances: 2 * stated.length ** 2 };
  const divided = stated.filter((whole) => isPart(whole, target));
  if (divided.length > 0) {
    const chances = stated.length * (INSTALMENTS.length + RATES.length);
    return { fit: 'part', chances, isAbove: divided.every((whole) => target > whole) };
  }
  if (money.length === 0) return NONE;
  return { fit: stated.some((whole) => target < whole) ? 'below' : 'other', chances: 1 };
}

/** An amount in minor units of the event's currency. */
function minorOf({ minorPerUnit }: ComparedEvent, { value, unit }: HashedAmount): number {
  return unit === 'minor' ? value : Math.round(value * minorPerUnit);
}

const isEqual = (event: ComparedEvent, amount: HashedAmount, target: number): boolean =>
  minorOf(event, amount) === target;

function isConverted(event: ComparedEvent, amount: HashedAmount, target: number): boolean {
  const { currency, value, unit } = amount;
  if (currency === null || currency === event.currency) return false;
  const rate = event.rates.get(currency);
  if (rate === undefined) return false;
  const readings =
    unit === 'major' ? [value * event.minorPerUnit] : [value * event.minorPerUnit, value];
  return readings.some(
    (minor) => Math.abs(minor * rate - target) <= Math.max(1, CONVERSION_TOLERANCE * target),
  );
}

/** Of all, of pairs, and differences of pairs: a price less a discount, a new level less the old one. */
function sums(stated: readonly number[]): number[] {
  if (stated.length < 2) return [];
  const total = stated.reduce((sum, value) => sum + value, 0);
  const pairs =
    stated.length > MAX_ADDENDS
      ? []
      : stated.flatMap((one, index) =>
          stated.slice(index + 1).flatMap((other) => [one + other, Math.abs(one - other)]),
        );
  return [total, ...pairs];
}

/** A stated percentage of a stated amount. */
function isStatedRate(
  stated: readonly number[],
  rates: readonly number[],
  target: number,
): boolean {
  return stated.some((whole) =>
    rates.some((rate) => Math.abs((whole * rate) / 100 - target) <= 0.5),
  );
}

function isPart(whole: number, target: number): boolean {
  if (target > 2 * whole) return false;
  return (
    INSTALMENTS.some((count) => Math.abs(whole / count - target) < 1) ||
    RATES.some((rate) => {
      const part = (whole * rate) / 1000;
      const included = (whole * rate) / (1000 + rate);
      return [part, included, whole + part, whole - part].some(
        (value) => Math.abs(value - target) <= 0.5,
      );
    })
  );
}
