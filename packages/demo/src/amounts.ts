import { Big } from 'big.js';

/** Decimal text of a number of cents. All currencies of the demo have two decimals. */
export function fromCents(cents: number): string {
  return new Big(cents).div(100).toFixed(2);
}

/** A share of an amount in cents, rounded to a cent. */
export function shareOf(cents: number, share: number): number {
  return Number(new Big(cents).times(share).round(0).toString());
}

/** A price as shops have it: at most `cents`, and it ends in 0.90. */
export function priceNear(cents: number): number {
  return Math.max(90, Math.round(cents / 100) * 100 - 10);
}
