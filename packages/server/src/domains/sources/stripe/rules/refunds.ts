import { readStripeAmount } from './amount.js';
import type { ChargeEvent, RefundEvent } from './stripe-event.js';

/** What the events of a charge say, in Stripe's smallest unit. */
export interface ChargeState {
  /** 0 unless it is known to be captured. */
  readonly captured: number;
  /** What was authorised and is not captured: Stripe gives it back as a "refund" that moves no cash. */
  readonly uncaptured: number;
  /** All refunds so far, of cash or not. */
  readonly refunded: number;
  /** The time of that total, in seconds. */
  readonly refundedAt: number;
}

/** The earlier one first; at the same time, the lower amount, and then the lower id. */
export function inOrder<Event extends { readonly id: string; readonly created: number }>(
  events: readonly Event[],
  amountIn: (event: Event) => number = () => 0,
): Event[] {
  return [...events].sort(
    (a, b) => a.created - b.created || amountIn(a) - amountIn(b) || (a.id < b.id ? -1 : 1),
  );
}

/** Whether an event shows that its charge was captured. Asynchronous capture sends no balance transaction at first. */
export function isCaptured({ type, data: { object } }: ChargeEvent): boolean {
  if (type === 'charge.captured') return true;
  const hasSucceeded = (object.status ?? 'succeeded') === 'succeeded';
  return object.captured && (type === 'charge.succeeded' || hasSucceeded);
}

/** Only the captured part of a charge is money. */
export function capturedAmount({ id, data: { object } }: ChargeEvent): number {
  const { amount, amount_captured } = object;
  return readStripeAmount(id, 'amount_captured', amount_captured ?? amount);
}

export const refundedAmount = ({ data: { object } }: ChargeEvent): number =>
  object.amount_refunded ?? 0;

/** @returns null for a charge of which no event was received */
export function stateOfCharge(events: readonly ChargeEvent[]): ChargeState | null {
  if (events.length === 0) return null;
  const isTold = ({ data: { object } }: ChargeEvent) => typeof object.amount_refunded === 'number';
  const newest = inOrder(events.filter(isTold), refundedAmount).at(-1);
  const capture = inOrder(events.filter(isCaptured), capturedAmount).at(-1);
  const captured = capture === undefined ? 0 : capturedAmount(capture);
  return {
    captured,
    uncaptured:
      capture === undefined ? Infinity : Math.max(0, capture.data.object.amount - captured),
    refunded: newest === undefined ? 0 : refundedAmount(newest),
    refundedAt: newest?.created ?? 0,
  };
}

/** The events of one refund. */
export interface RefundHistory {
  readonly id: string;
  /** In order. Those after which it had succeeded, and those after which it had failed. */
  readonly succeeded: readonly RefundEvent[];
  readonly failed: readonly RefundEvent[];
  readonly amount: number;
  /** Whether Stripe has booked it, or it is of no charge: nothing else can show that it was cash. */
  readonly isBooked: boolean;
  /** Seconds. */
  readonly firstSeen: number;
  /** When Stripe made it, in seconds; null if unknown. */
  readonly created: number | null;
}

export function historyOf(
  id: string,
  all: readonly RefundEvent[],
  isAlone: boolean,
): RefundHistory {
  const events = inOrder(all);
  const failed = events.filter(hasFailed);
  const succeeded = events.filter(
    (event) => event.data.object.status === 'succeeded' && !hasFailed(event),
  );
  const last = succeeded.at(-1) ?? events.at(-1);
  const times = events.map(({ data }) => data.object.created).filter(isInteger);
  return {
    id,
    succeeded,
    failed,
    amount: last === undefined ? 0 : readStripeAmount(last.id, 'amount', last.data.object.amount),
    isBooked: isAlone || events.some(({ data }) => isText(data.object.balance_transaction)),
    firstSeen: events[0]?.created ?? 0,
    created: times.length === 0 ? null : Math.min(...times),
  };
}

function hasFailed({ type, data }: RefundEvent): boolean {
  const { status } = data.object;
  return type === 'refund.failed' || status === 'failed' || status === 'canceled';
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isText = (value: unknown) => typeof value === 'string' && value !== '';

/** What is known of the refunds of a charge. */
export interface RefundCash {
  /** By id of the refund: the part that gives back what was never captured; null while the charge is unknown. */
  readonly released: ReadonlyMap<string, number | null>;
  /** Cash that the charge says was refunded, beyond the refunds that are known by id. */
  readonly unnamed: number;
}

/**
 * Which refunds are cash. Of those without a balance transaction, the first ones give back what was authorised and
 * not captured: one of exactly that amount, or else in order of time. Failed ones come last.
 */
export function cashOfRefunds(
  charge: ChargeState | null,
  refunds: readonly RefundHistory[],
): RefundCash {
  const released = new Map<string, number | null>();
  let left = charge?.uncaptured ?? 0;
  const isExact = ({ amount, failed }: RefundHistory) =>
    failed.length === 0 && amount === charge?.uncaptured;
  const open = refunds
    .filter(({ isBooked }) => !isBooked)
    .sort(
      (a, b) =>
        Number(a.failed.length > 0) - Number(b.failed.length > 0) ||
        Number(isExact(b)) - Number(isExact(a)) ||
        a.firstSeen - b.firstSeen ||
        (a.id < b.id ? -1 : 1),
    );
  for (const { id, amount } of open) {
    const part = Math.min(left, amount);
    released.set(id, charge === null ? null : part);
    left -= part;
  }
  if (charge === null) return { released, unnamed: 0 };
  const known = refunds.filter((refund) => isInTotal(refund, charge.refundedAt));
  const named = known.reduce((sum, { amount }) => sum + amount, 0);
  return { released, unnamed: Math.max(0, charge.refunded - named - left) };
}

/** Whether the total of a charge at a time contains a refund: in doubt it does, so that none counts twice. */
function isInTotal({ created, failed: [failure] }: RefundHistory, at: number): boolean {
  if (failure !== undefined && failure.created < at) return false;
  return created === null || created <= at;
}
