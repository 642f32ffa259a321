import type { JsonObject } from '@decision-ledger/contract/shared';
import { isBooks } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import type { Static } from 'typebox';

type Members = Static<typeof JsonObject>;

/** What a report is made from, as it was recorded. */
export interface ReportedRow {
  readonly event_id: string;
  readonly source: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  readonly description: string | null;
  readonly metadata: Members | null;
  /** ms. */
  readonly timestamp: number;
}

/** An amount without sign in its shortest form, and its currency: `19.9 EUR`. */
export type Sum = string;

export function sumOf(amount: string, currency: string): Sum {
  return `${new Big(amount).abs().toFixed()} ${currency}`;
}

/** A transaction of the books that several reports are of. */
export interface Whole {
  /** The same for all of them. */
  readonly key: string;
  /** What they add up to, without tax. */
  readonly untaxed: Sum;
  readonly sums: ReadonlySet<Sum>;
  /** Whether the report takes a part off the others. */
  readonly isLess: boolean;
}

/** The amounts of the whole transaction, where books state them and they go the way of the report. */
export function statedWhole(row: ReportedRow, members: Members): Whole | null {
  const stated = statedIn(row, members);
  if (stated === null) return null;
  const { key, currency, untaxed, total, settled } = stated;
  const isAlong = (text: string | null): text is string =>
    text !== null && isNegative(text) === isNegative(untaxed);
  const isLess = !isAlong(row.amount);
  if (isLess && !isTakenOff(row, stated)) return null;
  const sums = [untaxed, total, settled].flatMap((text) =>
    isAlong(text) ? [sumOf(text, currency)] : [],
  );
  return { key, untaxed: sumOf(untaxed, currency), sums: new Set(sums), isLess };
}

/** Whether a posting takes a part off the income or the cost, such as a discount: it is no fee that was kept, and nothing owed. */
function isTakenOff(
  { source, amount, currency: own }: ReportedRow,
  { currency, untaxed, fee, due }: Stated,
): boolean {
  const size = new Big(amount).abs();
  const isOther = [fee, due].every((text) => text === null || !size.eq(new Big(text).abs()));
  return isBooks(source) && own === currency && isOther && size.lt(new Big(untaxed).abs());
}

/** A transaction of the books that took money in, of which a fee was kept. */
export interface Deposit {
  /** The same for all reports of the transaction. */
  readonly key: string;
  readonly settled: Sum;
  readonly fee: Sum;
  /** Whether the report is of the fee. */
  readonly isFee: boolean;
}

/** What a payout may be booked as: its sales as one sum, its fees beside it, and the rest at the bank. */
export function depositIn(row: ReportedRow, members: Members): Deposit | null {
  const stated = isBooks(row.source) ? statedIn(row, members) : null;
  if (stated === null) return null;
  const { key, currency, untaxed, settled, fee } = stated;
  if (settled === null || isNegative(settled) || isNegative(untaxed)) return null;
  if (fee === null || !isNegative(fee)) return null;
  const isFee = isNegative(row.amount);
  return { key, settled: sumOf(settled, currency), fee: sumOf(fee, currency), isFee };
}

/**
 * A transaction of the books that was paid in part: the rest is owed, or was paid before, and has a report that takes it off.
 * Or the payment of a bill less a discount, which goes the other way: its report of what was owed is above what was paid.
 */
export interface PartPaid {
  /** The same for all reports of the transaction. */
  readonly key: string;
  /** What was paid, before and after a fee that was kept of it. */
  readonly sums: ReadonlySet<Sum>;
  /** What its reports add up to: decimal text. */
  readonly untaxed: string;
  /** Whether the report takes the rest off, or is of what was owed. */
  readonly isRest: boolean;
}

export function partPaidIn(row: ReportedRow, members: Members): PartPaid | null {
  const stated = isBooks(row.source) ? statedIn(row, members) : null;
  if (stated === null) return null;
  const { key, currency, untaxed, settled, due, fee, tax } = stated;
  if (settled === null || due === null || [settled, due, untaxed].some(isNought)) return null;
  if (isNegative(due) !== isNegative(untaxed)) return null;
  const isRest = new Big(row.amount).eq(new Big(due).times(-1));
  if (!isRest && isNegative(row.amount) !== isNegative(untaxed)) return null;
  const paid = new Big(settled).minus(fee ?? 0);
  const sums = [paid.toFixed(), settled].map((text) => sumOf(text, currency));
  return { key, sums: new Set(sums), untaxed: paid.minus(tax ?? 0).toFixed(), isRest };
}

type Stated = NonNullable<ReturnType<typeof statedIn>>;

function statedIn({ source, timestamp, external_id }: ReportedRow, members: Members) {
  const { transaction, basis } = members;
  // A payment is compared as what was paid: what is without tax in it is said of its bill.
  if (basis === 'settlement') return null;
  if (typeof transaction !== 'object' || transaction === null || Array.isArray(transaction))
    return null;
  const { currency, total, untaxed, settled, fee, due, tax } = transaction;
  const decimal = (text: unknown) => (typeof text === 'string' && DECIMAL.test(text) ? text : null);
  const main = decimal(untaxed);
  if (typeof currency !== 'string' || main === null) return null;
  const key = JSON.stringify([source, timestamp, external_id, transaction]);
  const others = { total: decimal(total), settled: decimal(settled), fee: decimal(fee) };
  const further = { due: decimal(due), tax: decimal(tax) };
  return { key, currency, untaxed: main, ...others, ...further };
}

const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;
const isNegative = (decimal: string): boolean => decimal.startsWith('-');
const isNought = (decimal: string): boolean => !/[1-9]/.test(decimal);

/** What reached the account of a processor for it, before and after the fee. */
const SETTLED: readonly string[] = ['stripe_settled', 'stripe_net'];

export function settledSums(members: Members): Sum[] {
  return SETTLED.flatMap((name) => {
    const stated = moneyIn(members[name]);
    return stated === null ? [] : [sumOf(...stated)];
  });
}

/** The fees that a payout says were kept of it; null if it does not say any. */
export function statedFees({ payout_fees }: Members): Sum | null {
  const stated = moneyIn(payout_fees);
  return stated === null ? null : sumOf(...stated);
}

/** Whether a value is money as one text, which is no reference. */
export const isMoney = (value: unknown): boolean => moneyIn(value) !== null;

/** Money as one text: `92.00 EUR`. */
function moneyIn(value: unknown): [amount: string, currency: string] | null {
  const [, amount, currency] =
    (typeof value === 'string' && /^(\S+) ([A-Z]{3})$/.exec(value)) || [];
  if (amount === undefined || currency === undefined || !DECIMAL.test(amount)) return null;
  return [amount, currency];
}
