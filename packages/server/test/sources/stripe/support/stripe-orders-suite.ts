import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isThorough, sample, some } from '../../../../../proof/test/support/runs.js';
import { dataOf, decision } from '../../../support/client.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../../support/service.js';
import {
  type CashStory,
  cashStories,
  generator,
  randomStory,
} from '../../../support/stripe-cash.js';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  type Payload,
  refund,
} from '../../../support/stripe-events.js';
import { CURRENCIES, expectedMovements, minorUnits, sums } from '../../../support/stripe-oracle.js';
import {
  deliver,
  eventsOf,
  type LiveEvent,
  movementsIn,
  receiptOf,
  SIGNING_SECRET,
  setSecrets,
  settled,
} from '../../../support/webhooks.js';

let bed: TestService;
let org: Organisation;

/** Events of Stripe in any order and number are recorded once and exact to the minor unit. */
export function stripeOrdersSuite(engine: Engine): void {
  describe(`Stripe events on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine, { isWorker: true });
    });
    beforeEach(async () => {
      org = await bed.organisation();
      await setSecrets(org.test, SIGNING_SECRET);
    });
    afterAll(() => bed.close());

    describe('Any order, each event delivered three times', () => orders(engine));
    describe('Corrections', corrections);
    describe('Cash', cashOnly);
  });
}

/** Every event of one charge, its refund and its dispute. No two lives share an object. */
function life(n: number): Payload[] {
  const random = generator(n);
  const currency = CURRENCIES[n % CURRENCIES.length] ?? 'usd';
  const amount = (1 + random(9_999_999)) * (currency === 'isk' ? 100 : 1);
  const ids = { charge: `ch_${n}`, payment_intent: `pi_${n}`, customer: null };
  const paid = { id: ids.charge, amount, currency, payment_intent: ids.payment_intent };
  const atOnce = n % 2 === 0;
  const back = { ...ids, id: `re_${n}`, amount, currency };
  // Every third refund turns out to be smaller.
  const less = n % 3 === 0 ? { ...back, amount: Math.ceil(amount / 200) * 100 } : back;
  const disputed = { ...ids, id: `du_${n}`, amount, currency };
  const told: [type: string, object: Payload][] = [
    ['charge.succeeded', charge({ ...paid, captured: atOnce })],
    ['charge.captured', charge({ ...paid, metadata: { order: `${n}` } })],
    ['refund.created', refund({ ...back, status: n % 5 === 0 ? 'pending' : 'succeeded' })],
    ['refund.updated', refund({ ...less, status: 'succeeded' })],
    ['refund.failed', refund({ ...less, status: 'failed', failure_reason: 'unknown' })],
    ['charge.dispute.created', dispute(disputed)],
    ['charge.dispute.funds_withdrawn', dispute({ ...disputed, status: 'under_review' })],
    ['charge.dispute.funds_reinstated', dispute({ ...disputed, status: 'won' })],
  ];
  return told.map(([type, object], at) => eventOf(type, object, { created: CREATED + at * 60 }));
}

const KINDS = life(0).length;

/** Every ordered selection of `size` of these. */
function arrangements(from: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return from.flatMap((first) =>
    arrangements(
      from.filter((other) => other !== first),
      size - 1,
    ).map((rest) => [first, ...rest]),
  );
}

function shuffled(seed: number): number[] {
  const random = generator(seed);
  const items = Array.from({ length: KINDS }, (_, n) => n);
  for (let n = items.length - 1; n > 0; n -= 1) {
    const other = random(n + 1);
    [items[n], items[other]] = [items[other] ?? 0, items[n] ?? 0];
  }
  return items;
}

const all = Array.from({ length: KINDS }, (_, n) => n);
interface Case {
  readonly name: string;
  readonly lists: () => number[][];
  /** Whether everything that has arrived is processed before more arrives. */
  readonly settles: boolean;
  /** Hundreds of lives: all of them in the long run, a sample on the faster engine otherwise. */
  readonly isLong?: boolean;
}

const many = (seed: number, size: (n: number) => number) =>
  Array.from({ length: isThorough ? 16 : 8 }, (_, n) => shuffled(seed + n).slice(0, size(n)));

const CASES: readonly Case[] = [
  { name: 'every choice of one', lists: () => arrangements(all, 1), settles: true },
  { name: 'every choice of two', lists: () => arrangements(all, 2), settles: true },
  {
    name: 'every choice of three',
    lists: () => arrangements(all, 3),
    settles: false,
    isLong: true,
  },
  {
    name: 'every order of a payment, its refund and the failure of that',
    lists: () => arrangements([0, 1, 2, 3, 4], 5),
    settles: true,
    isLong: true,
  },
  {
    name: 'every order of a corrected refund and a dispute',
    lists: () => arrangements([2, 3, 5, 6, 7], 5),
    settles: false,
    isLong: true,
  },
  {
    name: 'random choices of four to seven',
    lists: () => many(500, (n) => 4 + (n % 4)),
    settles: true,
  },
  { name: 'random orders of all eight', lists: () => many(0, () => KINDS), settles: true },
  { name: 'more of them, which pile up', lists: () => many(900, () => KINDS), settles: false },
];

function orders(engine: Engine): void {
  it.for(CASES.filter(({ isLong = false }) => engine === 'postgres' || isThorough || !isLong))(
    'Sums are exact to the minor unit and movements exist once: $name',
    async ({ lists, settles, isLong }) => {
      const lives = (isLong === true ? sample : some)(lists()).map((order, n) =>
        pick(life(n), order),
      );
      await deliverInWaves(lives, settles);
      await expectOnTheBooks(lives.flat());
      const again = lives.flat();
      const answers = await inTurns(again, (payload) => deliver(bed, org.test, payload));
      expect(new Set(answers.map((answer) => receiptOf(answer).status))).toEqual(
        new Set(['duplicate']),
      );
      await settled(bed.service);
      await expectOnTheBooks(again);
    },
  );

  it('Amounts up to 2^53-1 are counted exactly', async () => {
    const events = CURRENCIES.flatMap((currency, n) => {
      const amount = Number.MAX_SAFE_INTEGER - (currency === 'isk' ? 91 : n);
      return [1, 2, 3].map((k) =>
        eventOf('charge.succeeded', charge({ id: `ch_${currency}_${k}`, currency, amount })),
      );
    });
    await deliverInWaves(
      events.map((event) => [event]),
      false,
    );
    await expectOnTheBooks(events);
  });
}

function pick(events: readonly Payload[], order: readonly number[]): Payload[] {
  return order.map((place) => at(events, place));
}

function at(events: readonly Payload[], place: number): Payload {
  const payload = events[place];
  if (payload === undefined) throw new Error(`there is no event ${place}`);
  return payload;
}

/**
 * The first event of every life, then the second of every life; with `settles` everything that has
 * arrived is processed in between. Each is delivered twice concurrently.
 */
async function deliverInWaves(lives: readonly Payload[][], settles: boolean): Promise<void> {
  const longest = Math.max(...lives.map((events) => events.length));
  for (let wave = 0; wave < longest; wave += 1) {
    const now = lives.filter(({ length }) => length > wave).map((events) => at(events, wave));
    const answers = await inTurns(now, (payload) =>
      Promise.all([deliver(bed, org.test, payload), deliver(bed, org.test, payload)]),
    );
    for (const both of answers) {
      const statuses = both.map((answer) => receiptOf(answer).status).sort();
      expect(statuses).toEqual(['accepted', 'duplicate']);
    }
    if (settles) await settled(bed.service);
  }
  await settled(bed.service);
}

/** Sixteen at a time. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += 16) {
    results.push(...(await Promise.all(items.slice(from, from + 16).map(work))));
  }
  return results;
}

async function expectOnTheBooks(payloads: readonly Payload[]): Promise<void> {
  const expected = expectedMovements(payloads);
  const events = await eventsOf(org.test);
  expect(movementsIn(events)).toEqual([...expected.keys()].sort());
  expect(sums(events.map(worthOf))).toEqual(sums(expected.values()));
  for (const event of events) {
    const { minor, currency, at } = expected.get(`${event.external_id}/${event.event_type}`) ?? {};
    expect({ minor, currency, at }).toEqual({
      ...worthOf(event),
      at: Date.parse(event.timestamp) / 1000,
    });
  }
}

const worthOf = ({ amount, currency }: LiveEvent) => ({
  currency,
  minor: minorUnits(amount, currency),
});

function corrections(): void {
  const small = { id: 're_corrected', charge: 'ch_corrected', amount: 1500 };
  const told = [
    eventOf('refund.created', refund({ ...small, amount: 2000 }), { created: CREATED }),
    eventOf('refund.updated', refund({ ...small, amount: 1700 }), { created: CREATED + 1 }),
    eventOf('charge.refund.updated', refund(small), { created: CREATED + 2 }),
  ];

  const everyOrder = arrangements([0, 1, 2], 3).map((order) => ({ order, name: order.join(', ') }));
  it.for(everyOrder)('Corrections in the order $name end in the same event', async ({ order }) => {
    for (const payload of pick(told, order)) {
      await deliver(bed, org.test, payload);
      await settled(bed.service);
    }
    const [event, ...more] = await eventsOf(org.test);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      ...{ amount: '-15.00', external_id: 're_corrected' },
      timestamp: new Date(CREATED * 1000).toISOString(),
    });
    await expectLineage(await eventsOf(org.test, '&include_deleted=true'));
  });

  it('A correction supersedes the event and takes over its links, and the decision is linked once', async () => {
    const [first, second] = [at(told, 0), at(told, 1)];
    await deliver(bed, org.test, first);
    await settled(bed.service);
    const [before] = await eventsOf(org.test);
    const { decision_id } = dataOf(
      await org.test.post('/decisions', decision()),
      DecisionReceipt,
      201,
    );
    const body = {
      ...{ decision_id, financial_event_id: before?.id, correlation_strength: 0.75 },
      ...{ link_type: 'refund', attribution_method: 'manual', notes: 'seen by Jo' },
    };
    const link = dataOf(await org.test.post('/links', body), Link, 201);
    for (const _ of [1, 2]) {
      await deliver(bed, org.test, second);
      await settled(bed.service);
    }
    const [after] = await eventsOf(org.test);
    expect(after).toMatchObject({ amount: '-17.00', supersedes: before?.id });
    const old = dataOf(await org.test.get(`/financial-events/${before?.id}`), FinancialEvent);
    expect(old).toMatchObject({ superseded_by: after?.id, deleted_at: expect.any(String) });
    const { links } = dataOf(await org.test.get(`/links?decision_id=${decision_id}`), LinkPage);
    expect(links).toHaveLength(1);
    const { id, financial_event_id, created_at, ...kept } = links[0] ?? link;
    expect({ financial_event_id, isNew: id !== link.id }).toEqual({
      financial_event_id: after?.id,
      isNew: true,
    });
    expect(link).toMatchObject(kept);
  });

  it('A correction or repeat does not restore an event that a caller deleted', async () => {
    const first = at(told, 0);
    await deliver(bed, org.test, first);
    await settled(bed.service);
    const [event] = await eventsOf(org.test);
    expect((await org.test.delete(`/financial-events/${event?.id}`)).status).toBe(200);
    for (const payload of [first, ...told]) {
      await deliver(bed, org.test, payload);
      await settled(bed.service);
    }
    expect(await eventsOf(org.test)).toEqual([]);
    expect(await eventsOf(org.test, '&include_deleted=true')).toHaveLength(1);
  });
}

/** Every order of a few events, or some of the orders of more of them. */
function ordersOf(count: number): number[][] {
  const places = Array.from({ length: count }, (_, n) => n);
  const list = arrangements(places, count);
  return [...some(list.length <= 6 ? list : sample(list))];
}

function cashOnly(): void {
  /** The cash of each life, by the number in its ids, in cents, or its fees. */
  async function cashOf(isCounted: (event: LiveEvent) => boolean): Promise<Map<string, bigint>> {
    const cash = new Map<string, bigint>();
    for (const event of (await eventsOf(org.test)).filter(isCounted)) {
      const n = event.external_id?.split('_')[1] ?? '';
      cash.set(n, (cash.get(n) ?? 0n) + minorUnits(event.amount, event.currency));
    }
    return cash;
  }

  /** The fees that the balance transactions of disputes state, each once, in cents. */
  function feesOf({ events }: CashStory): number {
    const stated = JSON.stringify(events).matchAll(/"id":"(txn_[^"]*)"[^{}]*"fee":(\d+)/g);
    const fees = new Map([...stated].map(([, id, fee]) => [id, Number(fee)]));
    return [...fees.values()].reduce((sum, fee) => sum + fee, 0);
  }

  async function expectCash(stories: readonly CashStory[], settles: boolean): Promise<void> {
    const told = stories.filter(({ events }) => events.length > 0);
    await deliverInWaves(
      told.map(({ events }) => [...events]),
      settles,
    );
    const isFee = ({ event_type }: LiveEvent) => event_type === 'fee';
    const cash = await cashOf((event) => !isFee(event));
    expect(told.map((_, n) => Number(cash.get(String(n)) ?? 0n))).toEqual(
      told.map((story) => story.cash),
    );
    const fees = await cashOf(isFee);
    expect(told.map((_, n) => Number(-(fees.get(String(n)) ?? 0n)))).toEqual(told.map(feesOf));
  }

  it.for(cashStories(0).map(({ name, events }, at) => ({ name, count: events.length, at })))(
    'The cash is exact in every order: $name',
    async ({ count, at: place }) => {
      const stories = ordersOf(count).flatMap((order, n) => {
        const story = cashStories(n)[place];
        return story === undefined ? [] : [{ ...story, events: pick(story.events, order) }];
      });
      await expectCash(stories, true);
    },
  );

  it('The cash of random stories is exact in random orders', async () => {
    const stories = Array.from({ length: isThorough ? 200 : 40 }, (_, n) => {
      const random = generator(7000 + n);
      const story = randomStory(n, random);
      const events = story.events
        .map((event) => ({ event, at: random(1_000_000) }))
        .sort((a, b) => a.at - b.at);
      return { ...story, events: events.map(({ event }) => event) };
    });
    await expectCash(stories, false);
  });

  it('A refund that waits for its charge is listed, and counts once the charge is known', async () => {
    const back = refund({ id: 're_waits', charge: 'ch_late', balance_transaction: null });
    const send = async (payload: Payload) => {
      await deliver(bed, org.test, payload);
      await settled(bed.service);
    };
    await send(eventOf('refund.created', back));
    const [waiting, ...more] = await eventsOf(org.test, '&event_type=refund_waiting');
    expect(more).toEqual([]);
    expect(waiting).toMatchObject({ amount: '0.00', metadata: { waiting_amount: '10.99' } });
    await send(eventOf('charge.succeeded', charge({ id: 'ch_late' })));
    expect(await eventsOf(org.test, '&event_type=refund_waiting')).toEqual([]);
    const [counts] = await eventsOf(org.test, '&event_type=refund');
    expect(counts).toMatchObject({ amount: '-10.99', supersedes: waiting?.id });
  });

  it('A refund told by a total hands its links to the refund object that arrives later', async () => {
    const of = { id: 'ch_total', amount: 3000 };
    const told = (amount_refunded: number, at: number) =>
      eventOf('charge.refunded', charge({ ...of, amount_refunded }), { created: CREATED + at });
    const send = async (payload: Payload) => {
      await deliver(bed, org.test, payload);
      await settled(bed.service);
    };
    await send(eventOf('charge.succeeded', charge(of)));
    await send(told(700, 5));
    const [total] = await eventsOf(org.test, '&event_type=refund');
    expect(total).toMatchObject({ amount: '-7.00', external_id: 'ch_total' });
    const { decision_id } = dataOf(
      await org.test.post('/decisions', decision()),
      DecisionReceipt,
      201,
    );
    const body = {
      ...{ decision_id, financial_event_id: total?.id, correlation_strength: 1 },
      ...{ link_type: 'refund', attribution_method: 'manual' },
    };
    dataOf(await org.test.post('/links', body), Link, 201);
    const named = refund({ id: 're_total', charge: 'ch_total', amount: 700 });
    await send(eventOf('refund.created', named, { created: CREATED + 5 }));
    const [refunded, ...more] = await eventsOf(org.test, '&event_type=refund');
    expect(more).toEqual([]);
    expect(refunded).toMatchObject({ external_id: 're_total', supersedes: total?.id });
    const { links } = dataOf(await org.test.get(`/links?decision_id=${decision_id}`), LinkPage);
    expect(links.map(({ financial_event_id }) => financial_event_id)).toEqual([refunded?.id]);
    // The next one, again by the total alone, is another movement.
    await send(told(900, 9));
    const after = await eventsOf(org.test, '&event_type=refund');
    expect(after.map(({ external_id, amount }) => [external_id, amount]).sort()).toEqual([
      ['ch_total', '-2.00'],
      ['re_total', '-7.00'],
    ]);
  });
}

/** One event is current; each of the others points to its successor. */
async function expectLineage(events: readonly LiveEvent[]): Promise<void> {
  const inForce = events.filter(({ deleted_at }) => deleted_at === null);
  expect(inForce).toHaveLength(1);
  for (const { id, superseded_by, deleted_at } of events) {
    if (deleted_at === null) continue;
    expect(events.find((other) => other.id === superseded_by)?.supersedes).toBe(id);
  }
}
