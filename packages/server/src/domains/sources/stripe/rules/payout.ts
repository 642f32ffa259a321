import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { readCurrency, StripePayloadError } from './amount.js';
import {
  Identifier,
  kindOf,
  nameOf,
  Seconds,
  type Transaction,
  type TransactionKind,
  UNREADABLE,
  Whole,
} from './transaction.js';

const members = {
  id: Identifier,
  object: Type.Literal('payout'),
  amount: Whole,
  currency: Type.String(),
  created: Seconds,
  arrival_date: Seconds,
  status: Identifier,
};
const Sent = Type.Object(members);

/** What a payout consists of, in its smallest unit: what leaves the account is negative. */
const Contents = Type.Object({
  transactions: Type.Integer({ minimum: 0 }),
  charges: Whole,
  refunds: Whole,
  disputes: Whole,
  fees: Whole,
  other: Whole,
});
type Contents = Static<typeof Contents>;

/** A payout as it is kept. */
export const Payout = Type.Object({
  ...members,
  /** Null if Stripe does not say it. */
  contents: Type.Union([Contents, Type.Null()]),
});
export type Payout = Static<typeof Payout>;

/** That a balance transaction is part of a payout. */
export const PartOfPayout = Type.Object({
  object: Type.Literal('payout_transaction'),
  payout: Identifier,
  transaction: Identifier,
});
export type PartOfPayout = Static<typeof PartOfPayout>;

/** @throws StripePayloadError for one that cannot be recorded */
export function readPayout(item: unknown): Omit<Payout, 'contents'> {
  if (!Check(Sent, item)) throw new StripePayloadError(nameOf(item), 'the object', UNREADABLE);
  const { id, object, amount, currency, created, arrival_date, status } = item;
  readCurrency(id, currency, created);
  return { id, object, amount, currency, created, arrival_date, status };
}

export const NOTHING: Contents = {
  ...{ transactions: 0, charges: 0, refunds: 0, disputes: 0, fees: 0, other: 0 },
};

const MEMBERS: Readonly<Record<TransactionKind, Exclude<keyof Contents, 'transactions'>>> = {
  charge: 'charges',
  refund: 'refunds',
  refund_reversal: 'refunds',
  dispute_loss: 'disputes',
  dispute_recovery: 'disputes',
  fee: 'fees',
  payout: 'other',
  payout_reversal: 'other',
  other: 'other',
};

/** Contents with one more transaction. */
export function withTransaction(contents: Contents, transaction: Transaction): Contents {
  const { amount, fee } = transaction;
  const paid = { ...contents, transactions: contents.transactions + 1, fees: contents.fees - fee };
  const member = MEMBERS[kindOf(transaction)];
  return { ...paid, [member]: paid[member] + amount };
}

export function sumOf({ charges, refunds, disputes, fees, other }: Contents): number {
  return charges + refunds + disputes + fees + other;
}

/** Later states of a payout come last. */
const STATES = ['pending', 'in_transit', 'paid'];

/** What was read of one payout last: its state only moves on, and what it consists of only grows. */
export function latestPayout(read: readonly Payout[]): Payout | null {
  const rank = ({ status }: Payout) => {
    const at = STATES.indexOf(status);
    return at < 0 ? STATES.length : at;
  };
  const known = ({ contents }: Payout) => contents?.transactions ?? -1;
  const text = (payout: Payout) => JSON.stringify(payout);
  const [last = null] = [...read].sort(
    (a, b) => rank(b) - rank(a) || known(b) - known(a) || (text(a) < text(b) ? 1 : -1),
  );
  return last;
}
