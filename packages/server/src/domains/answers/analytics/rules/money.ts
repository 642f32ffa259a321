import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

/** Half to even, so that rounding errors do not accumulate. */
export const HALF_EVEN = 2;

/** Sums of truncated quotients are first rounded to these digits, so that half a cent stays half a cent. */
const TRUE_DIGITS = 10;

export type Round = (amount: Big | string | number) => string;

/** Null if exposures are in another currency than the base currency, or in several. */
export type RoundExposure = (exposure: string) => string | null;

export function exposureRounder(estimates: string | null, base: string): RoundExposure {
  return estimates === base ? rounder(base) : () => null;
}

/** Rounds to the minor unit of a currency; never returns a negative zero. */
export function rounder(currency: string): Round {
  const digits = minorUnits(currency);
  return (amount) => {
    const text = new Big(amount).round(TRUE_DIGITS, HALF_EVEN).toFixed(digits, HALF_EVEN);
    return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
  };
}

/** A rounded amount as text; never a negative zero. */
export function printAmount(amount: Big, currency: string): string {
  return amount.eq(0)
    ? new Big(0).toFixed(minorUnits(currency))
    : amount.toFixed(minorUnits(currency));
}

/** What is left of a printed amount without a part of it: the three add up as printed. */
export function difference(whole: string, part: string): string {
  return new Big(whole).minus(part).toFixed(whole.split('.')[1]?.length ?? 0);
}

/** Whether an amount exceeds a limit; both decimal text. */
export function isAbove(amount: string, limit: string): boolean {
  return new Big(amount).gt(limit);
}
