import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { readCurrency, readStripeAmount } from './amount.js';

// All objects are open: Stripe adds members at any time, and most members are not needed.

const CHARGE_EVENTS = [
  'charge.succeeded',
  'charge.captured',
  'charge.updated',
  'charge.refunded',
] as const;

const REFUND_EVENTS = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
] as const;

const DISPUTE_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

/** The event types that can move money. Every other type is ignored. */
export const STRIPE_EVENT_TYPES: readonly string[] = [
  ...CHARGE_EVENTS,
  ...REFUND_EVENTS,
  ...DISPUTE_EVENTS,
];

const text = Type.String({ minLength: 1 });
/** Copied if it is a string that can be stored. Any other value is ignored and does not refuse the event. */
const incidental = Type.Optional(Type.Unknown());

const INCIDENTAL = [
  'charge',
  'payment_intent',
  'customer',
  'description',
  'reason',
  'failure_reason',
  'balance_transaction',
] as const;

/** The members of an event, and of its object, that are used. All others may be anything. */
const READ = ['id', 'type', 'livemode', 'created', 'data'];
const READ_OF_OBJECT = [
  'id',
  'object',
  'amount',
  'currency',
  'metadata',
  'captured',
  'amount_captured',
  'amount_refunded',
  'status',
  'created',
];
const READ_OF_TRANSACTION = ['id', 'amount', 'currency', 'fee', 'net', 'created', 'exchange_rate'];

/** Whether the member at a path is used of every event. */
export function isRead([first, second, ...rest]: readonly (string | number)[]): boolean {
  const isObject = first === 'data' && second === 'object' && rest.length > 0;
  return READ.includes(String(first)) && (second === undefined || second === 'object') && !isObject;
}

/** Whether the member at a path is used of an event that moves money. */
export function isReadOfMoney(path: readonly (string | number)[]): boolean {
  const [first, second, third, , fifth] = path;
  const isMember = first === 'data' && second === 'object' && third !== undefined;
  if (!isMember) return isRead(path);
  if (third !== 'balance_transactions') return READ_OF_OBJECT.includes(String(third));
  return fifth === undefined || READ_OF_TRANSACTION.includes(String(fifth));
}

/** An event that names an object instead of containing it, which Stripe sends to some destinations. */
export function isThin(value: JsonValue): boolean {
  return Check(ThinEvent, value);
}

const ThinEvent = Type.Object({ object: Type.Literal('v2.core.event') });

/** The value of an amount is checked later, with StripePayloadError. */
const common = {
  id: text,
  amount: Type.Number(),
  currency: Type.String(),
  metadata: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
  charge: incidental,
  payment_intent: incidental,
  customer: incidental,
  description: incidental,
  reason: incidental,
  failure_reason: incidental,
  balance_transaction: incidental,
};

const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Charge = Type.Object({
  ...common,
  object: Type.Literal('charge'),
  captured: Type.Boolean(),
  amount_captured: optional(Type.Number()),
  amount_refunded: optional(Type.Number()),
  status: optional(Type.String()),
});

const Refund = Type.Object({
  ...common,
  object: Type.Literal('refund'),
  status: optional(Type.String()),
  created: incidental,
});

const Dispute = Type.Object({
  ...common,
  object: Type.Literal('dispute'),
  balance_transactions: incidental,
});

const envelope = {
  id: text,
  livemode: Type.Boolean(),
  created: Type.Integer({
    minimum: 0,
    maximum: 253_402_300_799,
    description: 'Seconds since the epoch.',
  }),
};

const AnyEvent = Type.Object({
  ...envelope,
  type: text,
  data: Type.Object({ object: Type.Object({}) }),
});

const ChargeEvent = Type.Object({
  ...envelope,
  type: Type.Enum([...CHARGE_EVENTS]),
  data: Type.Object({ object: Charge }),
});
export type ChargeEvent = Static<typeof ChargeEvent>;

const RefundEvent = Type.Object({
  ...envelope,
  type: Type.Enum([...REFUND_EVENTS]),
  data: Type.Object({ object: Refund }),
});
export type RefundEvent = Static<typeof RefundEvent>;

const DisputeEvent = Type.Object({
  ...envelope,
  type: Type.Enum([...DISPUTE_EVENTS]),
  data: Type.Object({ object: Dispute }),
});
export type DisputeEvent = Static<typeof DisputeEvent>;

/** An event with the kind of its object; null for a type that moves no money. */
export type StripeEvent =
  | { readonly about: 'charge'; readonly event: ChargeEvent }
  | { readonly about: 'refund'; readonly event: RefundEvent }
  | { readonly about: 'dispute'; readonly event: DisputeEvent }
  | { readonly about: null; readonly event: Static<typeof AnyEvent> };

/** An event about an object that moves money. */
export type MoneyStripeEvent = Exclude<StripeEvent, { about: null }>;

const checkAny = checker(AnyEvent, 'event');
const checkCharge = checker(ChargeEvent, 'event');
const checkRefund = checker(RefundEvent, 'event');
const checkDispute = checker(DisputeEvent, 'event');

/**
 * Reads the body of a Stripe webhook. An event of a type that moves no money has `about: null`.
 * @throws LedgerError `validation_error` naming every member that is missing or of a wrong type
 * @throws StripePayloadError for an unknown currency, or an amount that is no safe integer
 */
export function readStripeEvent(value: JsonValue): StripeEvent {
  const event = checkAny(value);
  if (isOneOf(CHARGE_EVENTS, event.type)) {
    return { about: 'charge', event: withMoney(checkCharge(value)) };
  }
  if (isOneOf(REFUND_EVENTS, event.type)) {
    return { about: 'refund', event: withMoney(checkRefund(value)) };
  }
  if (isOneOf(DISPUTE_EVENTS, event.type)) {
    return { about: 'dispute', event: withMoney(checkDispute(value)) };
  }
  return { about: null, event };
}

/** The id of the charge that an event is about or belongs to; that of its own object if it names none. */
export function chargeOf({ event }: MoneyStripeEvent): string {
  const { id, charge, object } = event.data.object;
  return object !== 'charge' && typeof charge === 'string' && charge !== '' && isStorable(charge)
    ? charge
    : id;
}

const Whole = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

const BalanceTransactions = Type.Array(
  Type.Object({
    id: text,
    amount: Whole,
    currency: Type.String(),
    fee: optional(Whole),
    net: optional(Whole),
    created: optional(Whole),
    exchange_rate: optional(Type.Number()),
  }),
);

/** What a dispute has moved so far, in the smallest units of each currency; none if it does not say. */
export function transactionsOf({ balance_transactions: list }: DisputeEvent['data']['object']) {
  return Check(BalanceTransactions, list) ? list : [];
}

/** The stored part of an event: enough to read it again, without personal data. */
export function essentialsOf({ event }: MoneyStripeEvent): JsonValue {
  const { id, type, created, livemode } = event;
  const { object } = event.data;
  const copied = INCIDENTAL.flatMap((name): [string, JsonValue][] => {
    const value = object[name];
    return typeof value === 'string' && isStorable(value) ? [[name, value]] : [];
  });
  return {
    id,
    type,
    created,
    livemode,
    data: {
      object: {
        id: object.id,
        object: object.object,
        amount: object.amount,
        currency: object.currency,
        metadata: object.metadata ?? null,
        ...Object.fromEntries(copied),
        ...(object.object === 'charge' && {
          captured: object.captured,
          amount_captured: object.amount_captured ?? null,
          amount_refunded: object.amount_refunded ?? null,
          status: object.status ?? null,
        }),
        ...(object.object === 'refund' && {
          status: object.status ?? null,
          ...(Number.isSafeInteger(object.created) && { created: Number(object.created) }),
        }),
        ...(object.object === 'dispute' && {
          balance_transactions: transactionsOf(object).map(
            ({ id: transaction, amount, currency, fee, net, created: at, exchange_rate }) => ({
              ...{ id: transaction, amount, currency },
              ...{ fee: fee ?? null, net: net ?? null, created: at ?? null },
              exchange_rate: exchange_rate ?? null,
            }),
          ),
        }),
      },
    },
  };
}

/** Whether a text can be stored as it is. */
export function isStorable(value: string): boolean {
  return !/\p{Cs}/u.test(value) && !value.includes('\u0000');
}

function isOneOf(types: readonly string[], type: string): boolean {
  return types.includes(type);
}

/** Refuses an invalid amount on receipt: stored, it would block every later event of the object. */
function withMoney<Event extends ChargeEvent | RefundEvent | DisputeEvent>(event: Event): Event {
  const { object } = event.data;
  readCurrency(event.id, object.currency, event.created);
  readStripeAmount(event.id, 'amount', object.amount);
  if (object.object === 'charge') {
    readStripeAmount(event.id, 'amount_captured', object.amount_captured ?? 0);
    readStripeAmount(event.id, 'amount_refunded', object.amount_refunded ?? 0);
  }
  return event;
}
