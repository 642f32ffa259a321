import { RelatedEvent } from '@decision-ledger/contract/financial-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { generator } from '../../support/stripe-cash.js';
import {
  API_KEY,
  connection,
  type StripeServer,
  startStripe,
} from '../../support/stripe-server.js';
import { type Shop, shopOf } from '../../support/stripe-shop.js';
import {
  deliver,
  eventsOf,
  type LiveEvent,
  movementsIn,
  receiptOf,
  SIGNING_SECRET,
  setSecrets,
  settled,
} from '../../support/webhooks.js';
import { type Ledger, openLedger, reasonOf } from '../accounting/support/accounting.js';

const KEY = new RegExp(API_KEY.slice(8));

/** The most that one poll reads. */
const MOST_PAGES = 50;

/** Two payouts and more. */
const DAYS = 12;

let bed: TestService;
let shop: Shop;
let server: StripeServer;
let ledger: Ledger;

const live = () => ledger.organisation.live;
const poll = () => ledger.poll('balance');
const cents = ({ amount }: Pick<LiveEvent, 'amount'>) => Number(amount.replace('.', ''));
const ofType = (events: readonly LiveEvent[], type: string) =>
  events.filter(({ event_type }) => event_type === type);

async function open(days: number, name: string): Promise<void> {
  shop = shopOf(name, { days });
  server = await startStripe(shop.account);
  ledger = await openLedger(bed);
  await ledger.connect(connection(server));
}

/** Without a connection, nothing polls the server that has stopped. */
async function close(): Promise<void> {
  await ledger.connect();
  await server.stop();
}

/** Polls until everything was read, and waits for what follows from it. */
async function pollAll(): Promise<void> {
  for (;;) {
    await poll();
    await settled(bed.service);
    const [state] = await ledger.connections();
    if (state?.problem === null) return;
    expect(state?.problem).toMatch(/^There is more at Stripe/);
  }
}

beforeAll(async () => {
  bed = await openTestService('embedded', { isWorker: true });
});
afterAll(() => bed.close());

describe('Fees and payouts read from Stripe', () => {
  beforeEach(() => open(DAYS, 'shop'));
  afterEach(close);

  it('A restricted key alone gives charges, fees and payouts, and what the bank received', async () => {
    await pollAll();
    const events = await eventsOf(live());
    const payouts = ofType(events, 'payout');
    expect(new Map(payouts.map((one) => [one.external_id, cents(one)]))).toEqual(shop.bank);
    for (const { id, amount } of payouts) {
      const { movement } = dataOf(await live().get(`/financial-events/${id}`), RelatedEvent);
      expect(movement.parts).toMatchObject({ amount, difference: '0', unknown: 0 });
    }
    const sold = ofType(events, 'charge');
    expect(sold).toHaveLength(shop.events.filter(({ type }) => type === 'charge.succeeded').length);
    for (const { metadata } of sold) {
      expect(metadata).toMatchObject({
        stripe_settled: expect.stringMatching(/ EUR$/),
        stripe_payout: expect.stringMatching(/^po_/),
      });
    }
    const fees = ofType(events, 'fee').filter(
      ({ metadata }) => metadata?.stripe_charge !== undefined,
    );
    expect(-fees.reduce((sum, one) => sum + cents(one), 0)).toBe(shop.paidOut.fees);
    const [first] = server.requests;
    expect(first?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'stripe-version': '2025-09-30.clover',
    });
  });

  it('The webhook and the polls together record each movement once, in any order', async () => {
    await setSecrets(live(), SIGNING_SECRET);
    const below = generator(3);
    const events = shop.events.map((event) => ({ ...event, livemode: true }));
    const send = async (some: typeof events) => {
      for (const event of some) {
        expect(receiptOf(await deliver(bed, live(), event)).status).not.toBe('ignored');
      }
    };
    const late = events.filter(() => below(2) === 0);
    await send(events.filter((event) => !late.includes(event)));
    await poll();
    await settled(bed.service);
    await send([...late, ...events.slice(0, 9)]);
    await pollAll();
    const recorded = await eventsOf(live());
    const names = movementsIn(recorded);
    expect(new Set(names).size).toBe(names.length);
    await close();
    await open(DAYS, 'shop');
    await pollAll();
    const alone = await eventsOf(live());
    const worth = (all: readonly LiveEvent[]) =>
      all.map((one) => `${one.external_id} ${one.event_type} ${one.amount} ${one.currency}`).sort();
    expect(worth(recorded)).toEqual(worth(alone));
  });

  it('What was read before changes nothing, and later polls read what is new', async () => {
    await pollAll();
    const before = await eventsOf(live(), '&include_deleted=true');
    const requests = server.requests.length;
    await pollAll();
    expect(await eventsOf(live(), '&include_deleted=true')).toEqual(before);
    // A list of payouts, and one of transactions.
    expect(server.requests.length - requests).toBe(2);
    const [payout] = shop.account.payouts.slice(-1);
    if (payout === undefined) throw new Error('the shop has no payout');
    payout.status = 'failed';
    await pollAll();
    const failed = (await eventsOf(live())).find(({ external_id }) => external_id === payout.id);
    expect(failed).toMatchObject({ event_type: 'payout', metadata: { stripe_status: 'failed' } });
  });

  it('A transaction that cannot be recorded is a problem, and stops no other', async () => {
    const sold = shop.account.transactions.filter(({ type }) => type === 'charge');
    const [bad, odd] = sold;
    if (bad === undefined || odd === undefined) throw new Error('the shop sold too little');
    bad.currency = 'zzz';
    shop.account.objects.set(String(odd.source), { id: String(odd.source), object: 'charge' });
    await poll();
    await settled(bed.service);
    const [state] = await ledger.connections();
    expect(state?.problem).toMatch(new RegExp(`${bad.id}.*data.object.currency "zzz" is`));
    expect(state?.problem).toMatch(new RegExp(`${odd.id}.*data.object.currency`));
    expect(ofType(await eventsOf(live()), 'payout')).toHaveLength(shop.bank.size);
  });
});

describe('A poll of Stripe that is disturbed', () => {
  beforeEach(() => open(4, 'disturbed'));
  afterEach(close);

  it.for([
    [
      'an unknown key',
      { status: 401, message: `Invalid API Key provided: ${API_KEY}` },
      /\(401\): it knows no such API key/,
    ],
    [
      'a key without permission',
      { status: 403, code: 'more_permissions_required' },
      /\(403\): the API key may not read this/,
    ],
    [
      'too many requests',
      { status: 429, code: 'rate_limit' },
      /too many requests \(429\); the poll is retried/,
    ],
    [
      'an error of Stripe',
      { status: 500, message: API_KEY },
      /failed with status 500; the poll is retried/,
    ],
    [
      'an invalid request',
      { status: 400, code: 'parameter_invalid' },
      /\(400\): parameter_invalid/,
    ],
    ['half an answer', 'cut', /incomplete or no list; the poll is retried/],
    ['a lost connection', 'hang up', /did not answer/],
  ] as const)(
    'The connection names the reason, and the next poll records everything: %s',
    async ([, fault, problem]) => {
      server.failNext(fault);
      const reason = await reasonOf(poll());
      expect(reason).toMatch(problem);
      expect(reason).not.toMatch(KEY);
      const [state] = await ledger.connections();
      expect(state?.problem).toBe(reason);
      await pollAll();
      expect(ofType(await eventsOf(live()), 'payout')).toHaveLength(shop.bank.size);
    },
  );

  it('An answer that does not end is given up', async () => {
    server.failNext('slow');
    const { outbound } = bed.service;
    const hasty = {
      outbound: (request: Parameters<typeof outbound>[0]) =>
        outbound({ ...request, timeoutMs: 100 }),
    };
    expect(await reasonOf(ledger.poll('balance', hasty))).toMatch(
      /did not answer.*; the poll is retried/,
    );
    await pollAll();
  });

  it('A poll that ends in the middle is repeated, and records nothing twice', async () => {
    server.largestPage = 5;
    for (const place of [1, 2, 3]) {
      const requests = server.requests.length;
      const { outbound } = bed.service;
      const dying = {
        outbound: (request: Parameters<typeof outbound>[0]) => {
          if (server.requests.length - requests >= place) throw new Error('the process ended');
          return outbound(request);
        },
      };
      await reasonOf(ledger.poll('balance', dying));
    }
    await pollAll();
    const names = movementsIn(await eventsOf(live()));
    expect(new Set(names).size).toBe(names.length);
  });

  it('A key of the other mode is refused before anything is asked', async () => {
    await ledger.connect(connection(server, { api_key: 'rk_test_51QxK2eLkdIwHu7ix' }));
    expect(await reasonOf(poll())).toMatch(/not of live mode/);
    expect(server.requests).toEqual([]);
  });

  it('The key is masked in settings, and in the record of their change', async () => {
    const settings = await live().get('/settings');
    const activity = await live().get('/activity?limit=100');
    for (const { text } of [settings, activity]) expect(text).not.toMatch(KEY);
    expect(settings.text).toMatch(/"api_key":"\*{8}[0-9a-f]{8}"/);
  });
});

it('A long history is read over several polls, from the newest to the oldest', async () => {
  await open(28, 'long');
  server.largestPage = 1;
  await pollAll();
  expect(server.requests.length).toBeGreaterThan(MOST_PAGES);
  const payouts = ofType(await eventsOf(live()), 'payout');
  expect(new Map(payouts.map((one) => [one.external_id, cents(one)]))).toEqual(shop.bank);
  await close();
});
