import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { readCurrency, StripePayloadError } from './amount.js';
import {
  chargeOf,
  essentialsOf,
  isStorable,
  type MoneyStripeEvent,
  readStripeEvent,
} from './stripe-event.js';

export const Identifier = Type.String({ pattern: '^[A-Za-z0-9_]{1,200}$' });
export const Whole = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});
export const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 });

/** Amounts are in the smallest unit of the currency that the money was settled in. */
const members = {
  id: Identifier,
  object: Type.Literal('balance_transaction'),
  type: Identifier,
  reporting_category: Identifier,
  created: Seconds,
  currency: Type.String(),
  amount: Whole,
  fee: Whole,
  net: Whole,
};

const Sent = Type.Object({
  ...members,
  exchange_rate: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  source: Type.Optional(Type.Unknown()),
});
type Sent = Static<typeof Sent>;

const IdentifierOrNull = Type.Union([Identifier, Type.Null()]);

/** A balance transaction as it is kept. */
export const Transaction = Type.Object({
  ...members,
  exchange_rate: Type.Union([Type.Number(), Type.Null()]),
  /** The object that it is of. */
  source: IdentifierOrNull,
  /** The charge that the source is, or belongs to. */
  charge: IdentifierOrNull,
  /** What the source says, as the webhook would tell it; null if it is no charge, refund or dispute. */
  event: Type.Union([Type.Object({}), Type.Null()]),
});
export type Transaction = Static<typeof Transaction>;

/** What a transaction moved: the money of a movement of the same kind, or of none. */
export type TransactionKind =
  | 'charge'
  | 'refund'
  | 'refund_reversal'
  | 'dispute_loss'
  | 'dispute_recovery'
  | 'fee'
  | 'payout'
  | 'payout_reversal'
  | 'other';

const FEES = ['fee', 'network_cost', 'tax'];

/** What the uncaptured part of a charge gives back reduces the charge, although its type is `refund`. */
const UNCAPTURED = 'partial_capture_reversal';

const KINDS: Readonly<Record<string, TransactionKind>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_reversal',
  payout: 'payout',
  payout_cancel: 'payout_reversal',
  payout_failure: 'payout_reversal',
};

type Typed = Pick<Transaction, 'type' | 'reporting_category' | 'amount'>;

export function kindOf({ type, reporting_category, amount }: Typed): TransactionKind {
  if (reporting_category === UNCAPTURED) return 'charge';
  if (FEES.includes(reporting_category)) return 'fee';
  if (reporting_category === 'refund_failure') return 'refund_reversal';
  if (reporting_category.startsWith('dispute')) {
    return amount < 0 ? 'dispute_loss' : 'dispute_recovery';
  }
  return (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? 'other';
}

/** @throws StripePayloadError for one that cannot be recorded */
export function readTransaction(item: unknown, livemode: boolean): Transaction {
  if (!Check(Sent, item)) throw new StripePayloadError(nameOf(item), 'the object', UNREADABLE);
  readCurrency(item.id, item.currency, item.created);
  const told = eventOf(item, livemode);
  const source = idOf(item.source);
  const isOfCharge = kindOf(item) === 'charge' && told === null;
  const { id, object, type, reporting_category, created, currency, amount, fee, net } = item;
  const read = {
    ...{ id, object, type, reporting_category, created, currency, amount, fee, net },
    exchange_rate: item.exchange_rate ?? null,
    source,
    charge: told !== null ? chargeOf(told) : isOfCharge ? chargeIn(item.source) : null,
    event: told === null ? null : Object(essentialsOf(told)),
  };
  // What is kept must be found to be a transaction when it is read again.
  if (!Check(Transaction, read)) throw new StripePayloadError(id, 'source', UNREADABLE);
  return read;
}

export const UNREADABLE = 'lacks a member that it should have, or has one of another type';

/** The object whose records a transaction is read with. */
export function groupOf(transaction: Transaction): string {
  const { id, charge, source } = transaction;
  const isOfPayout = kindOf(transaction).startsWith('payout');
  return charge ?? (isOfPayout ? source : null) ?? id;
}

const TOLD: Readonly<Partial<Record<TransactionKind, string>>> = {
  charge: 'charge.captured',
  refund: 'refund.updated',
  refund_reversal: 'refund.failed',
  dispute_loss: 'charge.dispute.funds_withdrawn',
  dispute_recovery: 'charge.dispute.funds_reinstated',
};

/** The event that the source of a transaction stands for; null if its money is that of no charge, refund or dispute. */
function eventOf(item: Sent, livemode: boolean): MoneyStripeEvent | null {
  const { id, created, reporting_category, source } = item;
  const type = reporting_category === UNCAPTURED ? undefined : TOLD[kindOf(item)];
  if (type === undefined) return null;
  if (typeof source !== 'object' || source === null) {
    throw new StripePayloadError(id, 'source', 'was not sent whole');
  }
  const object = { ...Object(source), ...stateIn(item) };
  const event = readStripeEvent({ id, type, created, livemode, data: { object } });
  return event.about === null ? null : event;
}

/** What a transaction says of its source. A total of refunds would be of the time of the poll. */
function stateIn(item: Sent): Readonly<Record<string, JsonValue>> {
  const { id, amount, currency, source } = item;
  const own = memberOf(source, 'metadata');
  const metadata = isTexts(own) ? own : null;
  switch (kindOf(item)) {
    case 'charge':
      return { metadata, captured: true, amount_refunded: null };
    case 'refund':
      return { metadata, status: 'succeeded', balance_transaction: id };
    case 'refund_reversal':
      return { metadata, status: 'failed' };
    default:
      return { metadata, balance_transactions: [{ id, amount, currency }] };
  }
}

function isTexts(value: unknown): value is { [name: string]: string } {
  return Object.entries(Object(value)).every(
    ([name, text]) => isStorable(name) && typeof text === 'string' && isStorable(text),
  );
}

function chargeIn(source: unknown): string | null {
  const charge = memberOf(source, 'charge');
  return typeof charge === 'string' ? charge : idOf(source);
}

function idOf(source: unknown): string | null {
  const id = typeof source === 'string' ? source : memberOf(source, 'id');
  return Check(Identifier, id) ? id : null;
}

/** For problems. */
export const nameOf = (item: unknown): string => idOf(item) ?? 'without id';

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
