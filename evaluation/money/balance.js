import { BASE } from './currencies.js';
import { seconds } from './stripe.js';

/**
 * What Stripe's account holds: a balance for each currency that it is settled in.
 *
 * @typedef {ReturnType<typeof createAccount>} Account
 * @typedef {{ id: string, created: number, amount: number, fee: number, net: number, currency: string,
 *   type: string, reporting_category: string, source: string | null }} Transaction
 */

/** What Stripe keeps. @param {number} amount */
export const feeOf = (amount) => Math.round(amount * 0.014) + 25;

export function createAccount() {
  /** @type {Transaction[]} */
  const transactions = [];
  /** @type {object[]} */
  const payouts = [];
  /** @type {Map<string, object>} what transactions are of, in its last state */
  const objects = new Map();
  /** @type {Map<string, string[]>} the transactions of each payout */
  const contents = new Map();
  return {
    ...{ transactions, payouts, objects, contents },
    /**
     * @param {{ id: string, at: number, type: string, category?: string, amount: number, fee?: number,
     *   currency: string, rate?: number, source: { id: string } }} booking
     */
    book({ id, at, type, category = type, amount, fee = 0, currency, rate, source }) {
      const transaction = {
        ...{ id, object: 'balance_transaction', amount, fee, net: amount - fee },
        ...{ available_on: seconds(at), balance_type: 'payments', created: seconds(at) },
        ...{ currency: currency.toLowerCase(), description: null, fee_details: [] },
        ...{ exchange_rate: rate ?? null, reporting_category: category, source: source.id },
        ...{ status: 'available', type },
      };
      transactions.push(transaction);
      objects.set(source.id, source);
      return transaction;
    },
  };
}

/**
 * How a charge is settled: most accounts have a balance in every currency that customers pay in. A conversion is at a
 * rate of Stripe's own, a little off that of the day.
 * @param {import('./company.js').Company} company
 * @param {{ amount: number, currency: string, at: number, isConverted: boolean }} charge
 */
export function settlementOf({ rates, random }, { amount, currency, at, isConverted }) {
  if (!isConverted) return { amount, currency, fee: feeOf(amount) };
  const atRate = rates.toBase(amount, currency, at);
  const settled = Math.max(1, Math.round(atRate * (1 + 0.012 * (random.next() - 0.5))));
  const rate = Number((settled / amount).toPrecision(6));
  return { amount: settled, currency: BASE, fee: feeOf(settled), rate };
}
