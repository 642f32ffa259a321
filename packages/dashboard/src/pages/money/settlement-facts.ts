import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { isDecimal } from '../../format/decimal.ts';

/** A member of what was settled, and the source that said so. */
export interface Told<Value> {
  readonly value: Value;
  readonly source: string;
}

export interface Sum {
  readonly amount: string;
  readonly currency: string;
}

/** What reached an account, what was kept of it, and at what rate. Null: no source has said so. It is never zero for that. */
export interface Settlement {
  readonly settled: Told<Sum> | null;
  readonly fee: Told<Sum> | null;
  /** What one unit of the currency of the payment is worth in that of the account. */
  readonly rate: Told<string> | null;
}

type Report = Pick<FinancialEvent, 'source' | 'metadata'>;

/** What the reports of a movement say, the first one first. Each member is of the first one that states it. */
export function settlementOf(reports: readonly Report[]): Settlement {
  const told = reports.map(statedBy);
  const first = <Name extends keyof Settlement>(name: Name): Settlement[Name] =>
    told.map((one) => one[name]).find((member) => member !== null) ?? null;
  return { settled: first('settled'), fee: first('fee'), rate: first('rate') };
}

function statedBy({ source, metadata = {} }: Report): Settlement {
  const tell = <Value>(value: Value | null) => (value === null ? null : { value, source });
  const whole = membersOf(metadata.transaction);
  const { currency } = whole;
  return {
    settled: tell(sumOf(metadata.stripe_settled) ?? amountOf(whole.settled, currency)),
    fee: tell(sumOf(metadata.stripe_fee) ?? amountOf(whole.fee, currency)),
    rate: tell(decimalOf(metadata.stripe_rate) ?? decimalOf(whole.exchange_rate)),
  };
}

/** An amount with its currency, as sources write it: `92.13 EUR`. */
function sumOf(value: unknown): Sum | null {
  const [amount, currency, ...more] = typeof value === 'string' ? value.split(' ') : [];
  return more.length > 0 ? null : amountOf(amount, currency);
}

function amountOf(amount: unknown, currency: unknown): Sum | null {
  const decimal = decimalOf(amount);
  if (decimal === null || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  return { amount: decimal, currency };
}

function decimalOf(value: unknown): string | null {
  return typeof value === 'string' && isDecimal(value) ? value : null;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value));
}
