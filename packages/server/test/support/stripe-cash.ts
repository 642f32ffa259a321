import {
  CREATED,
  charge,
  dispute,
  disputeTransaction,
  eventOf,
  type Payload,
  refund,
} from './stripe-events.js';

/** What happened to one charge, with all events about it in the order of time, and the cash that is left of it. */
export interface CashStory {
  readonly name: string;
  /** In cents. */
  readonly cash: number;
  readonly events: readonly Payload[];
}

type Fields = Readonly<Record<string, Payload[string]>>;

/** Builds the events of a charge: each has the state of the charge at its time. */
function teller(n: number | string, amount: number) {
  const ids = { charge: `ch_${n}`, payment_intent: `pi_${n}`, customer: null };
  return {
    ofCharge: (type: string, at: number, fields: Fields) =>
      eventOf(
        `charge.${type}`,
        {
          ...charge({ id: ids.charge, payment_intent: ids.payment_intent, amount }),
          ...{ customer: null, ...fields },
        },
        { created: CREATED + at },
      ),
    ofRefund: (type: string, at: number, which: string, back: number, fields: Fields = {}) =>
      eventOf(
        `refund.${type}`,
        {
          ...refund({ ...ids, id: `re_${n}_${which}`, amount: back }),
          created: CREATED + at,
          ...fields,
        },
        { created: CREATED + at },
      ),
    ofDispute: (type: string, at: number, disputed: number, moved: readonly number[] = []) =>
      eventOf(
        `charge.dispute.${type}`,
        dispute({
          ...{ ...ids, id: `du_${n}`, amount: disputed },
          balance_transactions: moved.map((part, k) => disputeTransaction(`txn_${n}_${k}`, part)),
        }),
        { created: CREATED + at },
      ),
  };
}

const AUTHORISED = { captured: false, amount_captured: 0, balance_transaction: null };
const UNBOOKED = { balance_transaction: null };

/** @param n makes the ids of the story its own */
export function cashStories(n: number | string): CashStory[] {
  const { ofCharge, ofRefund, ofDispute } = teller(n, 9000);
  const sold = ofCharge('succeeded', 0, {});
  const held = ofCharge('succeeded', 0, AUTHORISED);
  const part = { amount_captured: 4000 };
  const told = (name: string, cash: number, ...events: Payload[]) => ({ name, cash, events });
  return [
    told(
      'an authorisation that is cancelled',
      0,
      held,
      ofRefund('created', 100, 'a', 9000, UNBOOKED),
      ofCharge('refunded', 100, { ...AUTHORISED, amount_refunded: 9000 }),
    ),
    told(
      'a partial capture, whose rest is released',
      4000,
      held,
      ofCharge('captured', 50, { ...part, amount_refunded: 5000 }),
      ofRefund('created', 50, 'a', 5000, UNBOOKED),
    ),
    told(
      'a partial capture with a refund of the captured part, told by totals',
      3000,
      held,
      ofCharge('captured', 50, { ...part, amount_refunded: 5000 }),
      ofCharge('refunded', 90, { ...part, amount_refunded: 6000 }),
    ),
    told(
      'a partial capture with a refund of the captured part',
      3000,
      held,
      ofCharge('captured', 50, { ...part, amount_refunded: 5000 }),
      ofRefund('created', 50, 'a', 5000, UNBOOKED),
      ofRefund('created', 90, 'b', 1000),
      ofCharge('refunded', 90, { ...part, amount_refunded: 6000 }),
    ),
    told(
      'several captures of one authorisation',
      7000,
      held,
      ofCharge('captured', 50, part),
      ofCharge('updated', 60, { amount_captured: 7000 }),
      ofRefund('created', 70, 'a', 2000, UNBOOKED),
    ),
    told(
      'an asynchronous capture with a refund that is not booked yet',
      8500,
      ofCharge('succeeded', 0, UNBOOKED),
      ofCharge('updated', 9, {}),
      ofRefund('created', 20, 'a', 500, UNBOOKED),
    ),
    told(
      'refunds that only totals tell',
      6500,
      sold,
      ofCharge('refunded', 10, { amount_refunded: 1000 }),
      ofCharge('refunded', 20, { amount_refunded: 2500 }),
    ),
    told(
      'refunds of which one is known by its id',
      6500,
      sold,
      ofCharge('refunded', 10, { amount_refunded: 1000 }),
      ofRefund('created', 10, 'a', 1000),
      ofCharge('refunded', 20, { amount_refunded: 2500 }),
    ),
    told(
      'two refunds, each told twice',
      6500,
      ofCharge('refunded', 10, { amount_refunded: 1000 }),
      ofRefund('created', 10, 'a', 1000),
      ofCharge('refunded', 20, { amount_refunded: 2500 }),
      ofRefund('created', 20, 'b', 1500),
      sold,
    ),
    told(
      'a refund that fails, with the totals before and after',
      9000,
      sold,
      ofRefund('created', 10, 'a', 1000),
      ofCharge('refunded', 10, { amount_refunded: 1000 }),
      ofRefund('failed', 30, 'a', 1000, { status: 'failed', created: CREATED + 10 }),
      ofCharge('updated', 31, { amount_refunded: 0 }),
    ),
    told(
      'a dispute of which a part is reinstated',
      5000,
      sold,
      ofDispute('created', 10, 9000),
      ofDispute('funds_withdrawn', 11, 9000, [-9000]),
      ofDispute('funds_reinstated', 90, 9000, [-9000, 5000]),
    ),
    told(
      'a dispute that is reinstated twice',
      5000,
      sold,
      ofDispute('funds_withdrawn', 11, 9000, [-9000]),
      ofDispute('funds_reinstated', 80, 9000, [-9000, 3000]),
      ofDispute('funds_reinstated', 90, 9000, [-9000, 3000, 2000]),
    ),
    told('a dispute of a part', 5000, sold, ofDispute('funds_withdrawn', 11, 4000, [-4000])),
    told(
      'a refund of an unknown charge that is not booked',
      0,
      ofRefund('created', 10, 'a', 1000, UNBOOKED),
      ofRefund('updated', 20, 'a', 1000, { ...UNBOOKED, created: CREATED + 10 }),
    ),
    told(
      'a booked refund of a charge from before the ledger was connected',
      -1000,
      ofRefund('created', 10, 'a', 1000),
      ofCharge('updated', 20, { amount_refunded: 1000 }),
    ),
  ];
}

/** The same numbers in every run. */
export function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What an endpoint may be subscribed to: everything, no totals, totals alone, or refunds by id since some time only. */
const SUBSCRIPTIONS = ['all', 'objects', 'totals', 'mixed'] as const;

/**
 * A random story, as Stripe would tell it to a random endpoint.
 * @param below a random integer below its argument
 */
export function randomStory(n: number | string, below: (limit: number) => number): CashStory {
  const amount = 100 * (1 + below(60));
  const { ofCharge, ofRefund, ofDispute } = teller(n, amount);
  const subscription = SUBSCRIPTIONS[below(SUBSCRIPTIONS.length)] ?? 'all';
  const way = below(4);
  const [isHeld, isVoid, isAsync] = [way < 2, way === 0, way === 2];
  const part = isVoid ? 0 : 100 * (1 + below(amount / 100));
  const captured = isHeld ? part : amount;
  let [cash, refunded, at] = [captured, 0, 0];
  const events: Payload[] = [];
  const state = () => ({
    ...(isVoid ? AUTHORISED : { amount_captured: captured }),
    amount_refunded: refunded,
  });
  const tell = (event: Payload, isTold: boolean) => isTold && events.push(event);
  const tellsTotals = subscription !== 'objects';
  const backs = (which: string, back: number, fields: Fields) => {
    const isNamed = subscription === 'mixed' ? below(2) === 0 : subscription !== 'totals';
    refunded += back;
    tell(ofRefund('created', at, which, back, fields), isNamed);
    return isNamed;
  };
  const start = isAsync ? UNBOOKED : {};
  events.push(ofCharge('succeeded', at, isHeld ? AUTHORISED : start));
  at += 10;
  if (isHeld && captured < amount) backs('rest', amount - captured, UNBOOKED);
  if (isHeld && !isVoid) events.push(ofCharge('captured', at, state()));
  else tell(ofCharge(isVoid ? 'refunded' : 'updated', at, state()), tellsTotals);
  for (let k = below(3); k > 0 && cash >= 100; k -= 1) {
    at += 1 + below(5);
    const [made, back] = [at, 100 * (1 + below(cash / 100))];
    const isNamed = backs(`${k}`, back, isAsync && below(2) === 0 ? UNBOOKED : {});
    tell(ofCharge('refunded', at, state()), tellsTotals);
    cash -= back;
    if (below(3) > 0) continue;
    at += 1 + below(5);
    const failed = { status: 'failed', created: CREATED + made };
    tell(ofRefund('failed', at, `${k}`, back, failed), isNamed);
    [cash, refunded, at] = [cash + back, refunded - back, at + 1];
    tell(ofCharge('updated', at, state()), tellsTotals);
  }
  if (captured >= 100 && below(3) === 0) {
    const disputed = 100 * (1 + below(captured / 100));
    const moved = [-disputed];
    tell(ofDispute('funds_withdrawn', at + 1, disputed, moved), true);
    for (let k = below(3); k > 0; k -= 1) {
      moved.push(100 * (1 + below(disputed / 100)));
      tell(ofDispute('funds_reinstated', at + 10 - k, disputed, [...moved]), true);
    }
    cash += moved.reduce((sum, part) => sum + part, 0);
  }
  return { name: `${n}`, cash, events };
}
