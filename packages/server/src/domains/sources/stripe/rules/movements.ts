import { formatTimestamp } from '@decision-ledger/contract/time';
import { fromStripeUnits, readCurrency, readStripeAmount } from './amount.js';
import {
  type ChargeEvent,
  type DisputeEvent,
  objectOf,
  type RefundEvent,
  type StripeEvent,
} from './stripe-event.js';

export type MovementKind =
  | 'charge'
  | 'refund'
  | 'refund_reversal'
  | 'dispute'
  | 'dispute_loss'
  | 'dispute_recovery';

/** Money that moved, or for `dispute` money that is disputed. */
export interface StripeMovement {
  readonly kind: MovementKind;
  readonly event_type: MovementKind;
  /** Decimal text; money that leaves the account is negative. */
  readonly amount: string;
  readonly currency: string;
  /** The id of the charge, refund or dispute at Stripe. */
  readonly external_id: string;
  readonly timestamp: string;
  readonly description?: string;
  /** The metadata of the object, and facts from Stripe under reserved names. */
  readonly metadata: Readonly<Record<string, string>>;
}

type MoneyEvent = ChargeEvent | RefundEvent | DisputeEvent;
type StripeObject = MoneyEvent['data']['object'];

/**
 * The movements that follow from the events of one object. Order and repetition of the events do not
 * matter, and a further event never removes a movement. A movement is identified by its kind and
 * external_id. If several events give the same one, its time is that of the earliest event, its
 * amount and metadata are those of the latest (by `created`, then by id).
 * @param events all events about one object; those that move no money are ignored
 * @throws RangeError for events about several objects
 * @throws StripePayloadError for an unknown currency, or an amount that is no safe integer
 */
export function movementsOf(events: readonly StripeEvent[]): StripeMovement[] {
  const objects = new Set(events.map(objectOf).filter((id) => id !== null));
  if (objects.size > 1) {
    throw new RangeError(`events about several objects: ${[...objects].join(', ')}`);
  }
  return [
    ...ofCharge(events.flatMap((one) => (one.about === 'charge' ? [one.event] : []))),
    ...ofRefund(events.flatMap((one) => (one.about === 'refund' ? [one.event] : []))),
    ...ofDispute(events.flatMap((one) => (one.about === 'dispute' ? [one.event] : []))),
  ];
}

function ofCharge(events: readonly ChargeEvent[]): StripeMovement[] {
  const captured = events.filter(
    ({ type, data }) => type === 'charge.captured' || data.object.captured,
  );
  return movementFrom('charge', 1, captured);
}

/** A refund that fails before it succeeds moves no money. */
function ofRefund(events: readonly RefundEvent[]): StripeMovement[] {
  const failed = events.filter(hasFailed);
  const succeeded = events.filter(
    (event) => event.data.object.status === 'succeeded' && !hasFailed(event),
  );
  if (succeeded.length === 0) return [];
  return [...movementFrom('refund', -1, succeeded), ...movementFrom('refund_reversal', 1, failed)];
}

function hasFailed({ type, data }: RefundEvent): boolean {
  const { status } = data.object;
  return type === 'refund.failed' || status === 'failed' || status === 'canceled';
}

function ofDispute(events: readonly DisputeEvent[]): StripeMovement[] {
  const ofType = (type: DisputeEvent['type']) => events.filter((event) => event.type === type);
  return [
    ...movementFrom('dispute', 0, ofType('charge.dispute.created')),
    ...movementFrom('dispute_loss', -1, ofType('charge.dispute.funds_withdrawn')),
    ...movementFrom('dispute_recovery', 1, ofType('charge.dispute.funds_reinstated')),
  ];
}

/** @returns the movement that these events give; none without events */
function movementFrom(
  kind: MovementKind,
  sign: 1 | 0 | -1,
  events: readonly MoneyEvent[],
): StripeMovement[] {
  const inOrder = [...events].sort(compare);
  const [first, last] = [inOrder.at(0), inOrder.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { object } = last.data;
  const currency = readCurrency(last.id, object.currency, first.created);
  const amount = amountOf(last);
  const description = textOf(object.description);
  return [
    {
      kind,
      event_type: kind,
      amount: fromStripeUnits(sign * amount, currency),
      currency,
      external_id: object.id,
      timestamp: formatTimestamp(first.created * 1000),
      ...(description !== null && { description }),
      metadata: {
        ...ownMetadata(object),
        ...stripeMetadata(object),
        ...(kind === 'dispute' && { disputed_amount: fromStripeUnits(amount, currency) }),
      },
    },
  ];
}

function compare(a: MoneyEvent, b: MoneyEvent): number {
  if (a.created !== b.created) return a.created - b.created;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Only the captured part of a charge is money. */
function amountOf({ id, data: { object } }: MoneyEvent): number {
  const captured = object.object === 'charge' ? object.amount_captured : null;
  return typeof captured === 'number'
    ? readStripeAmount(id, 'amount_captured', captured)
    : readStripeAmount(id, 'amount', object.amount);
}

/** Names reserved for facts from Stripe, even if there is none. */
const RESERVED = [
  'stripe_object',
  'stripe_charge',
  'stripe_payment_intent',
  'stripe_customer',
  'stripe_reason',
  'stripe_failure_reason',
  'disputed_amount',
];

function ownMetadata({ metadata }: StripeObject): Record<string, string> {
  const own = Object.entries(metadata ?? {});
  return Object.fromEntries(own.filter(([name]) => !RESERVED.includes(name)));
}

function stripeMetadata(object: StripeObject): Record<string, string> {
  const members: [name: string, value: unknown][] = [
    ['stripe_object', object.object],
    ['stripe_charge', object.charge],
    ['stripe_payment_intent', object.payment_intent],
    ['stripe_customer', object.customer],
    ['stripe_reason', object.reason],
    ['stripe_failure_reason', object.failure_reason],
  ];
  return Object.fromEntries(
    members.flatMap(([name, value]): [string, string][] => {
      const text = textOf(value);
      return text === null ? [] : [[name, text]];
    }),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
