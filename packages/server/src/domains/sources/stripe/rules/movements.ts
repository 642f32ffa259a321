import { formatTimestamp } from '@decision-ledger/contract/time';
import { fromStripeUnits, readCurrency, readStripeAmount } from './amount.js';
import {
  capturedAmount,
  cashOfRefunds,
  historyOf,
  inOrder,
  isCaptured,
  type RefundHistory,
  refundedAmount,
  stateOfCharge,
} from './refunds.js';
import {
  type ChargeEvent,
  chargeOf,
  type DisputeEvent,
  type RefundEvent,
  type StripeEvent,
  transactionsOf,
} from './stripe-event.js';

/** What Stripe's balance says of a movement: it was settled in another way than it was paid. */
export const SETTLED = [
  'stripe_balance_transaction',
  'stripe_settled',
  'stripe_fee',
  'stripe_net',
  'stripe_rate',
  'stripe_payout',
] as const;

/** `unnamed_refund`: refunds that only the total of their charge tells. */
type PaidKind =
  | 'charge'
  | 'refund'
  | 'unnamed_refund'
  | 'refund_reversal'
  | 'dispute'
  | 'dispute_loss'
  | 'dispute_recovery';

/** `balance`: what else moved in the account. */
type MovementKind = PaidKind | 'fee' | 'payout' | 'payout_reversal' | 'balance';

/** `refund_waiting`: nothing tells yet whether it is cash. `refund_released`: of what was never captured. */
type MovementType = PaidKind | 'refund_waiting' | 'refund_released';

/** Money that moved; or that is disputed, waits or was released, with the amount 0. */
export interface StripeMovement<Kind extends MovementKind = MovementKind> {
  readonly kind: Kind;
  /** A `MovementType`, or the type of a balance transaction. */
  readonly event_type: string;
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
 * The movements that follow from the events of one charge, its refunds and its disputes. Order and repetition
 * of the events do not matter. A movement is identified by its kind and external_id. If several events give the
 * same one, its time is that of the earliest event, its amount and metadata are those of the latest (by
 * `created`, then by amount and id).
 * @param events all events of one charge; those that move no money are ignored
 * @throws RangeError for events of several charges
 * @throws StripePayloadError for an unknown currency, or an amount that is no safe integer
 */
export function movementsOf(events: readonly StripeEvent[]): StripeMovement<PaidKind>[] {
  const money = events.flatMap((one) => (one.about === null ? [] : [one]));
  const groups = new Set(money.map(chargeOf));
  if (groups.size > 1) throw new RangeError(`events of several charges: ${[...groups].join(', ')}`);
  const charges = money.flatMap((one) => (one.about === 'charge' ? [one.event] : []));
  const refunds = money.flatMap((one) => (one.about === 'refund' ? [one.event] : []));
  const disputes = money.flatMap((one) => (one.about === 'dispute' ? [one.event] : []));
  return [
    ...ofCharge(charges),
    ...ofRefunds(charges, refunds),
    ...byObject(disputes).flatMap(([, own]) => ofDispute(own)),
  ];
}

function byObject<Event extends MoneyEvent>(events: readonly Event[]): [id: string, Event[]][] {
  const ids = [...new Set(events.map(({ data }) => data.object.id))].sort();
  return ids.map((id) => [id, events.filter(({ data }) => data.object.id === id)]);
}

/**
 * The payment. An update shows that money was captured, and not when: a charge of which nothing else was received
 * was paid before the ledger was connected.
 */
function ofCharge(events: readonly ChargeEvent[]): StripeMovement<PaidKind>[] {
  const isKnown = events.some(
    ({ type }) => type === 'charge.succeeded' || type === 'charge.captured',
  );
  const captured = inOrder(isKnown ? events.filter(isCaptured) : [], capturedAmount);
  return movementFrom('charge', captured, (last) => capturedAmount(last));
}

function ofRefunds(
  charges: readonly ChargeEvent[],
  events: readonly RefundEvent[],
): StripeMovement<PaidKind>[] {
  const refunds = byObject(events).map(([id, own]) =>
    historyOf(
      id,
      own,
      own.every((event) => chargeOf({ about: 'refund', event }) === id),
    ),
  );
  const { released, unnamed } = cashOfRefunds(stateOfCharge(charges), refunds);
  const told = inOrder(
    charges.filter((event) => refundedAmount(event) > 0),
    refundedAmount,
  );
  return [
    ...refunds.flatMap((refund) => ofRefund(refund, released.get(refund.id))),
    ...movementFrom('unnamed_refund', told, () => -unnamed).map((movement) => ({
      ...movement,
      event_type: 'refund' as const,
      metadata: { ...movement.metadata, stripe_charge: movement.external_id },
    })),
  ];
}

/**
 * A refund that fails before it succeeds moves no money.
 * @param released the part that was never captured; null while that is unknown
 */
function ofRefund(
  { succeeded, failed, amount }: RefundHistory,
  released: number | null | undefined = 0,
): StripeMovement<PaidKind>[] {
  const cash = released === null ? 0 : amount - released;
  const [refund] = movementFrom('refund', succeeded, () => -cash);
  if (refund === undefined) return [];
  if (released === null) return [withAmounts(refund, 'refund_waiting', { waiting_amount: amount })];
  const part = { released_amount: released };
  const type = cash === 0 && released > 0 ? 'refund_released' : 'refund';
  return [
    released === 0 ? refund : withAmounts(refund, type, part),
    ...movementFrom('refund_reversal', failed, (last) =>
      released === 0 ? statedAmount(last) : Math.min(cash, statedAmount(last)),
    ),
  ];
}

/** The movement with amounts that it names, and does not count. */
function withAmounts(
  movement: StripeMovement<PaidKind>,
  event_type: MovementType,
  amounts: Readonly<Record<string, number>>,
): StripeMovement<PaidKind> {
  const named = Object.entries(amounts).map(([name, amount]): [string, string] => [
    name,
    fromStripeUnits(amount, movement.currency),
  ]);
  return {
    ...movement,
    event_type,
    metadata: { ...movement.metadata, ...Object.fromEntries(named) },
  };
}

function ofDispute(all: readonly DisputeEvent[]): StripeMovement<PaidKind>[] {
  const events = inOrder(all);
  const ofType = (type: DisputeEvent['type']) => events.filter((event) => event.type === type);
  const [created, withdrawn, reinstated] = [
    ofType('charge.dispute.created'),
    ofType('charge.dispute.funds_withdrawn'),
    ofType('charge.dispute.funds_reinstated'),
  ];
  return [
    ...movementFrom('dispute', created, () => 0).map((dispute) => {
      const disputed_amount = created.map(statedAmount).at(-1) ?? 0;
      return withAmounts(dispute, 'dispute', { disputed_amount });
    }),
    ...movementFrom('dispute_loss', withdrawn, (last) => -movedBy(events, last, -1)),
    ...movementFrom('dispute_recovery', reinstated, (last) => movedBy(events, last, 1)),
  ];
}

/**
 * What a dispute took or gave back, by its balance transactions, each counted once: a part, or several of them. Where it
 * states none in that direction, or one in the currency of the account, it is the amount of the dispute.
 */
function movedBy(events: readonly DisputeEvent[], last: DisputeEvent, sign: 1 | -1): number {
  const stated = events.flatMap(({ data }) => transactionsOf(data.object));
  const own = new Map(stated.map((one) => [one.id, one]));
  const moved = [...own.values()].filter(({ amount }) => Math.sign(amount) === sign);
  const isForeign = moved.some(({ currency }) => currency !== last.data.object.currency);
  if (moved.length === 0 || isForeign) return statedAmount(last);
  return sign * moved.reduce((sum, { amount }) => sum + amount, 0);
}

function statedAmount({ id, data: { object } }: RefundEvent | DisputeEvent): number {
  return readStripeAmount(id, 'amount', object.amount);
}

/**
 * @param events those that report it, in order
 * @param amountOf signed, in Stripe's smallest unit
 * @returns the movement that these events give; none without events
 */
function movementFrom<Event extends MoneyEvent>(
  kind: PaidKind,
  events: readonly Event[],
  amountOf: (last: Event) => number,
): StripeMovement<PaidKind>[] {
  const [first, last] = [events.at(0), events.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { object } = last.data;
  const currency = readCurrency(last.id, object.currency, first.created);
  const description = textOf(object.description);
  return [
    {
      kind,
      event_type: kind,
      amount: fromStripeUnits(amountOf(last), currency),
      currency,
      external_id: object.id,
      timestamp: formatTimestamp(first.created * 1000),
      ...(description !== null && { description }),
      metadata: { ...ownMetadata(object), ...stripeMetadata(object) },
    },
  ];
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
  'waiting_amount',
  'released_amount',
  ...SETTLED,
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
