import { isCurrency, minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import type { Basis, Whole } from './whole.js';

/** A transaction that changes what is owed under a code, in one currency. */
export interface Owed {
  readonly basis: Basis | undefined;
  readonly whole: Whole;
  readonly currency: string;
}

/** What is without tax of a payment, and its tax: decimal texts with the sign of its total. */
export interface PaidTax {
  readonly untaxed: string;
  readonly tax: string;
}

interface Stated {
  readonly total: Big;
  readonly untaxed: Big;
}

/**
 * The tax in payments, by what the bills of their code state: each payment has the part of the tax that it has of the bills,
 * rounded so that all parts add up. Nothing follows where the bills are not of one rate, more was paid than was billed, or
 * something was paid at once.
 * @param owed all that changes what is owed under a code in one currency, in the order of the books
 */
export function paidTaxOf(owed: readonly Owed[]): ReadonlyMap<Owed, PaidTax> {
  const bills = owed.filter(({ basis }) => basis === 'accrual').map(({ whole }) => statedIn(whole));
  const payments = owed.filter(({ basis }) => basis === 'settlement');
  const billed = sumOf(bills);
  if (billed === null || bills.length + payments.length < owed.length) return new Map();
  const paid = payments.map(({ whole }) => new Big(whole.total ?? 0));
  if (!isWithin(paid, billed.total)) return new Map();
  const found = new Map<Owed, PaidTax>();
  let before = new Big(0);
  for (const [at, payment] of payments.entries()) {
    const total = paid[at] ?? new Big(0);
    const digits = Math.max(minorUnitsOf(payment.currency), placesOf(billed.untaxed));
    const part = (sum: Big) => sum.times(billed.untaxed).div(billed.total).round(digits);
    const untaxed = part(before.plus(total)).minus(part(before));
    before = before.plus(total);
    found.set(payment, { untaxed: textOf(untaxed), tax: textOf(total.minus(untaxed)) });
  }
  return found;
}

/** Null if a transaction does not say what it is without tax. */
function statedIn({ total, untaxed }: Whole): Stated | null {
  return total === undefined || untaxed === undefined
    ? null
    : { total: new Big(total), untaxed: new Big(untaxed) };
}

/** Null unless all are of one rate, from nothing to all of it. */
function sumOf(bills: readonly (Stated | null)[]): Stated | null {
  const known = bills.filter((bill) => bill !== null);
  const [first] = known;
  if (first === undefined || known.length < bills.length) return null;
  const isOfRate = ({ total, untaxed }: Stated) =>
    total.times(first.untaxed).eq(untaxed.times(first.total));
  const isPart = ({ total, untaxed }: Stated) =>
    !total.eq(0) && untaxed.div(total).gt(0) && untaxed.div(total).lte(1);
  if (!known.every((bill) => isOfRate(bill) && isPart(bill))) return null;
  const add = (member: keyof Stated) =>
    known.reduce((sum, bill) => sum.plus(bill[member]), new Big(0));
  const sum = { total: add('total'), untaxed: add('untaxed') };
  return sum.total.eq(0) ? null : sum;
}

/** Whether what was paid never goes beyond what was billed, nor the other way. */
function isWithin(paid: readonly Big[], total: Big): boolean {
  let sum = new Big(0);
  return paid.every((one) => {
    sum = sum.plus(one);
    return sum.times(total).gte(0) && sum.abs().lte(total.abs());
  });
}

const placesOf = (value: Big): number => value.toFixed().split('.')[1]?.length ?? 0;
/** Books may have commodities that are no currencies. */
const minorUnitsOf = (currency: string): number =>
  isCurrency(currency) ? minorUnits(currency) : 0;
const textOf = (value: Big): string => (value.eq(0) ? '0' : value.toFixed());
