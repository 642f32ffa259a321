import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

/** Half to even, so that many roundings do not drift. */
const HALF_EVEN = 2;

/** Shares are quotients, cut off somewhere: what adds up to half a cent shall be that, and not less. */
const TRUE_DIGITS = 10;

/** A sum that no rate converts, in its own currency, or one in the base currency. */
export interface Amount {
  /** The currency; null where the amount is in the base currency. */
  readonly unconverted: string | null;
  /** Decimal text, signed. */
  readonly amount: string;
}

export type Round = (amount: Big | string | number) => string;

/** Null where exposures are in another currency than the answer, or in several. */
export type RoundExposure = (exposure: string) => string | null;

export function exposureRounder(estimates: string | null, base: string): RoundExposure {
  return estimates === base ? rounder(base) : () => null;
}

/** To the minor unit of a currency; nothing is never below zero. */
export function rounder(currency: string): Round {
  const digits = minorUnits(currency);
  return (amount) => {
    const text = new Big(amount).round(TRUE_DIGITS, HALF_EVEN).toFixed(digits, HALF_EVEN);
    return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
  };
}

export function sum(rows: readonly { readonly amount: string }[]): Big {
  return rows.reduce((total, { amount }) => total.plus(amount), new Big(0));
}

/** In the order of the alphabet. */
export function byCurrency(rows: readonly Amount[]): { currency: string; amount: string }[] {
  const sums = new Map<string, Big>();
  for (const { unconverted, amount } of rows) {
    if (unconverted !== null) {
      sums.set(unconverted, (sums.get(unconverted) ?? new Big(0)).plus(amount));
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ currency, amount: rounder(currency)(amount) }));
}

/** Both decimal text. */
export function isAbove(amount: string, limit: string): boolean {
  return new Big(amount).gt(limit);
}
