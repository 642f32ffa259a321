import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import { readAmount, readCurrency } from './amount.js';

// All objects are open: Stripe adds members at any time, and most of what it sends is not needed.

const CHARGE_EVENTS = ['charge.succeeded', 'charge.captured'] as const;

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

/** The event types that can move money. Every other type is read as one that concerns nothing. */
export const STRIPE_EVENT_TYPES: readonly string[] = [
  ...CHARGE_EVENTS,
  ...REFUND_EVENTS,
  ...DISPUTE_EVENTS,
];

const text = Type.String({ minLength: 1 });
/** Copied where it is a text; nothing else that Stripe may put there keeps money from being counted. */
const incidental = Type.Optional(Type.Unknown());

const INCIDENTAL = [
  'charge',
  'payment_intent',
  'customer',
  'description',
  'reason',
  'failure_reason',
] as const;

/** Whether an amount can be counted with is told apart, by StripePayloadError. */
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
};

const Charge = Type.Object({
  ...common,
  object: Type.Literal('charge'),
  captured: Type.Boolean(),
  amount_captured: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});

const Refund = Type.Object({
  ...common,
  object: Type.Literal('refund'),
  status: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const Dispute = Type.Object({ ...common, object: Type.Literal('dispute') });

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

/** An event with the kind of object it concerns; null for a type that moves no money. */
export type StripeEvent =
  | { readonly about: 'charge'; readonly event: ChargeEvent }
  | { readonly about: 'refund'; readonly event: RefundEvent }
  | { readonly about: 'dispute'; readonly event: DisputeEvent }
  | { readonly about: null; readonly event: Static<typeof AnyEvent> };

/** An event that concerns an object that moves money. */
export type MoneyStripeEvent = Exclude<StripeEvent, { about: null }>;

const checkAny = checker(AnyEvent, 'event');
const checkCharge = checker(ChargeEvent, 'event');
const checkRefund = checker(RefundEvent, 'event');
const checkDispute = checker(DisputeEvent, 'event');

/**
 * Reads the body of a Stripe webhook. An event of a type that moves no money is read with
 * `about: null` as long as it has the shape of an event.
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

/** @returns the id of the charge, refund or dispute, or null when the event moves no money */
export function objectOf(event: StripeEvent): string | null {
  return event.about === null ? null : event.event.data.object.id;
}

/** What is kept of an event: enough to read it again, and nothing else that Stripe knows of people. */
export function essentialsOf({ event }: MoneyStripeEvent): JsonValue {
  const { id, type, created, livemode } = event;
  const { object } = event.data;
  const copied = INCIDENTAL.flatMap((name): [string, JsonValue][] => {
    const value = object[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    ...{ id, type, created, livemode },
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
        }),
        ...(object.object === 'refund' && { status: object.status ?? null }),
      },
    },
  };
}

function isOneOf(types: readonly string[], type: string): boolean {
  return types.includes(type);
}

/** Refuses at the door what would stand in the way of every later event of the same object. */
function withMoney<Event extends ChargeEvent | RefundEvent | DisputeEvent>(event: Event): Event {
  const { object } = event.data;
  readCurrency(event.id, object.currency);
  readAmount(event.id, 'amount', object.amount);
  if (object.object === 'charge') {
    readAmount(event.id, 'amount_captured', object.amount_captured ?? 0);
  }
  return event;
}
