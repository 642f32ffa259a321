import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import type { StripeMovement } from '#server/domains/sources/stripe/rules/movements';
import { NOTHING, readPayout, withTransaction } from '#server/domains/sources/stripe/rules/payout';
import {
  isItself,
  keptOfPayout,
  keptOfTransaction,
  readRecords,
} from '#server/domains/sources/stripe/rules/records';
import { movementsIn } from '#server/domains/sources/stripe/rules/settlement';
import {
  chargeOf,
  essentialsOf,
  readStripeEvent,
} from '#server/domains/sources/stripe/rules/stripe-event';
import { kindOf, readTransaction } from '#server/domains/sources/stripe/rules/transaction';
import { generator } from '../../support/stripe-cash.js';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  type Payload,
  refund,
} from '../../support/stripe-events.js';
import { type Shop, shopOf } from '../../support/stripe-shop.js';

/** A row of the inbox, as it is stored. */
interface Row {
  readonly id: string;
  readonly group: string;
  readonly text: string;
}

const whole = ({ objects }: Shop['account'], item: Payload) => ({
  ...item,
  source: objects.get(String(item.source)) ?? item.source ?? null,
});

function told(payload: Payload): Row {
  const event = readStripeEvent(payload);
  if (event.about === null) throw new Error('an event that moves no money');
  return { id: event.event.id, group: chargeOf(event), text: canonicalJson(essentialsOf(event)) };
}

/** Everything that the webhook and the polls keep of a shop. */
function rowsOf({ account, events }: Shop): Row[] {
  const text = (payload: object) => canonicalJson(Object(payload));
  const read = (item: Payload) => readTransaction(whole(account, item), true);
  const listed = account.transactions.flatMap((item) => keptOfTransaction(read(item), null));
  const paid = account.payouts.flatMap((item) => {
    const id = String(item.id);
    const own = new Set(account.contents.get(id));
    const parts = account.transactions.filter((one) => own.has(String(one.id))).map(read);
    const contents = parts.filter((one) => !isItself(one, id)).reduce(withTransaction, NOTHING);
    return [
      ...parts.flatMap((one) => keptOfTransaction(one, id)),
      keptOfPayout({ ...readPayout({ ...item, status: 'in_transit' }), contents: null }),
      keptOfPayout({ ...readPayout(item), contents }),
    ];
  });
  const kept = [...listed, ...paid].map(({ id, group, payload }) => ({
    id,
    group,
    text: text(payload),
  }));
  return [...events.map(told), ...kept];
}

/** The movements of all groups, by name. What was kept under an id before stays. */
function recorded(rows: readonly Row[]): Map<string, StripeMovement> {
  const inbox = new Map<string, Row>();
  for (const row of rows) if (!inbox.has(row.id)) inbox.set(row.id, row);
  const groups = new Map<string, JsonValue[]>();
  for (const { group, text } of inbox.values()) {
    groups.set(group, [...(groups.get(group) ?? []), parseJson(text)]);
  }
  const movements = [...groups.values()].flatMap((kept) => movementsIn(readRecords(kept)));
  const named = movements.map((one) => [`${one.external_id}/${one.kind}`, one] as const);
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length);
  return new Map(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function shuffled<Item>(items: readonly Item[], below: (limit: number) => number): Item[] {
  return items
    .map((item) => ({ item, at: below(1_000_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const cents = (text: string) => Number(text.replace('.', '').replace(/ [A-Z]{3}$/, ''));
const settledOf = ({ kind, amount, metadata }: StripeMovement) =>
  kind === 'fee' || kind === 'balance' ? cents(amount) : cents(metadata.stripe_settled ?? '0.00');

describe('Movements of an account with Stripe', () => {
  it('A year of a shop: what the bank received is the payouts, and each is what it consists of', () => {
    const shop = shopOf('year', { days: 365 });
    const movements = [...recorded(rowsOf(shop)).values()];
    const payouts = movements.filter(({ kind }) => kind === 'payout');
    expect(payouts.length).toBeGreaterThan(50);
    expect(new Map(payouts.map((one) => [one.external_id, cents(one.amount)]))).toEqual(shop.bank);
    for (const { external_id, amount, metadata } of payouts) {
      const parts = movements.filter((one) => one.metadata.stripe_payout === external_id);
      expect(parts.reduce((sum, one) => sum + settledOf(one), 0)).toBe(cents(amount));
      const stated = ['charges', 'refunds', 'disputes', 'fees', 'other'];
      const sums = stated.map((name) => cents(metadata[`payout_${name}`] ?? ''));
      expect(sums.reduce((sum, one) => sum + one)).toBe(cents(amount));
      expect(metadata.payout_difference).toBeUndefined();
    }
    const fees = movements.filter(({ kind }) => kind === 'fee');
    const own = fees.filter(({ metadata }) => metadata.stripe_charge !== undefined);
    expect(-own.reduce((sum, one) => sum + cents(one.amount), 0)).toBe(shop.paidOut.fees);
  });

  it('Reports are the same in 200 random orders, with repeats', () => {
    const rows = rowsOf(shopOf('orders', { days: 28, seed: 5 }));
    const expected = recorded(rows);
    expect(expected.size).toBeGreaterThan(80);
    for (let seed = 0; seed < 200; seed += 1) {
      const below = generator(seed);
      const repeated = [...rows, ...shuffled(rows, below).slice(0, below(rows.length))];
      expect(recorded(shuffled(repeated, below))).toEqual(expected);
    }
  });

  it('The webhook alone, the polls alone and both give the same money', () => {
    const rows = rowsOf(shopOf('either', { days: 28, seed: 9 }));
    const isTold = ({ id }: Row) => id.startsWith('evt_');
    const both = recorded(rows);
    const money = (movements: Map<string, StripeMovement>) =>
      [...movements].map(([name, { amount, currency, timestamp }]) => ({
        ...{ name, amount, currency, timestamp },
      }));
    expect(money(recorded(rows.filter((row) => !isTold(row))))).toEqual(money(both));
    const alone = money(recorded(rows.filter(isTold)));
    expect(money(both)).toEqual(expect.arrayContaining(alone));
    expect(alone.length).toBeGreaterThan(30);
  });
});

const PAID = charge({ id: 'ch_1', amount: 10_000, currency: 'usd' });

const transaction = (fields: { readonly [name: string]: unknown } = {}) => ({
  ...{ id: 'txn_1', object: 'balance_transaction', type: 'charge', reporting_category: 'charge' },
  ...{ created: CREATED, currency: 'eur', amount: 9213, fee: 301, net: 8912 },
  ...{ exchange_rate: 0.9213, source: PAID },
  ...fields,
});

const movementsFrom = (items: readonly object[], events: readonly Payload[] = []) =>
  movementsIn({
    ...{ payouts: [], parts: [], events: events.map((event) => readStripeEvent(event)) },
    transactions: items.map((item) => readTransaction(item, true)),
  });

describe('What was settled', () => {
  it('A charge names what was settled, in which currency and at which rate; the fee is a movement', () => {
    const sold = eventOf('charge.succeeded', PAID);
    const settled = {
      ...{ stripe_settled: '92.13 EUR', stripe_fee: '3.01 EUR', stripe_net: '89.12 EUR' },
      ...{ stripe_rate: '0.9213', stripe_balance_transaction: 'txn_1' },
    };
    expect(movementsFrom([transaction()], [sold])).toEqual([
      expect.objectContaining({
        ...{ kind: 'charge', amount: '100.00', currency: 'USD' },
        metadata: expect.objectContaining(settled),
      }),
      expect.objectContaining({
        ...{ kind: 'fee', event_type: 'fee', amount: '-3.01', currency: 'EUR' },
        ...{ external_id: 'txn_1', metadata: expect.objectContaining({ stripe_charge: 'ch_1' }) },
      }),
    ]);
  });

  it('What no source has said is left out, and never zero', () => {
    const [known, ...more] = movementsFrom([], [eventOf('charge.succeeded', PAID)]);
    expect(more).toEqual([]);
    expect(
      Object.keys(known?.metadata ?? {}).filter((name) => /settled|fee|net|rate/.test(name)),
    ).toEqual([]);
  });

  it('The fee of a dispute counts once, whether the webhook or the balance tells it', () => {
    const lost = dispute({ id: 'du_1', charge: 'ch_1', amount: 10_000, currency: 'usd' });
    const moved = {
      ...{ id: 'txn_2', object: 'balance_transaction', type: 'adjustment', amount: -9213 },
      ...{ created: CREATED + 9, currency: 'eur', fee: 2000, net: -11_213, exchange_rate: 0.9213 },
      ...{ reporting_category: 'dispute', status: 'available' },
    };
    const event = eventOf('charge.dispute.funds_withdrawn', {
      ...lost,
      balance_transactions: [moved],
    });
    const pulled = transaction({ ...moved, source: lost });
    for (const [items, events] of [
      [[pulled], []],
      [[], [event]],
      [[pulled], [event]],
    ] as const) {
      const movements = movementsFrom(items, events);
      expect(
        movements.map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`),
      ).toEqual(['dispute_loss -100.00 USD', 'fee -20.00 EUR']);
      expect(movements[0]?.metadata.stripe_settled).toBe('-92.13 EUR');
    }
  });

  it('A partial capture is settled with what was captured, and no refund', () => {
    const part = { ...PAID, amount_captured: 4000, amount_refunded: 6000 };
    const back = refund({ id: 're_1', charge: 'ch_1', amount: 6000, balance_transaction: null });
    const items = [
      transaction({ amount: 9213, source: part }),
      transaction({
        ...{ id: 'txn_2', type: 'refund', reporting_category: 'partial_capture_reversal' },
        ...{ amount: -5528, fee: 0, net: -5528, source: back },
      }),
    ];
    const [captured, ...more] = movementsFrom(items);
    expect(captured).toMatchObject({ kind: 'charge', amount: '40.00' });
    expect(captured?.metadata).toMatchObject({ stripe_settled: '36.85 EUR' });
    expect(more.map(({ kind }) => kind)).toEqual(['fee']);
  });

  it.for([
    ['payment', 'charge', 1, 'charge'],
    ['payment_refund', 'refund', -1, 'refund'],
    ['refund', 'partial_capture_reversal', -1, 'charge'],
    ['adjustment', 'refund_failure', 1, 'refund_reversal'],
    ['adjustment', 'dispute', -1, 'dispute_loss'],
    ['adjustment', 'dispute_reversal', 1, 'dispute_recovery'],
    ['stripe_fee', 'fee', -1, 'fee'],
    ['adjustment', 'network_cost', -1, 'fee'],
    ['tax_fee', 'tax', -1, 'fee'],
    ['payout_failure', 'payout_reversal', 1, 'payout_reversal'],
    ['topup', 'topup', 1, 'other'],
    ['anything_new', 'anything_new', 1, 'other'],
  ] as const)(
    'A transaction of type %s in the category %s is understood',
    ([type, reporting_category, amount, kind]) => {
      expect(kindOf({ type, reporting_category, amount })).toBe(kind);
    },
  );

  it('Money that stays the own is a transfer, and a fee of the account a fee', () => {
    const own = { source: null, fee: 0, exchange_rate: null };
    const moved = (id: string, type: string, amount: number) =>
      transaction({ ...own, id, type, amount, net: amount, reporting_category: type });
    const items = [
      moved('txn_3', 'topup', 500),
      moved('txn_4', 'reserve_hold', -300),
      moved('txn_5', 'contribution', -70),
      { ...moved('txn_6', 'stripe_fee', -9), reporting_category: 'fee' },
    ];
    const movements = items.flatMap((item) => movementsFrom([item]));
    expect(movements.map(({ event_type, amount }) => `${event_type} ${amount}`)).toEqual([
      ...['transfer 5.00', 'transfer -3.00', 'contribution -0.70', 'fee -0.09'],
    ]);
  });
});

describe('Payouts', () => {
  const paid = {
    ...{ id: 'po_1', object: 'payout', amount: 8912, currency: 'eur', created: CREATED },
    ...{ arrival_date: CREATED + 86_400, status: 'paid' },
  };
  const movementOf = (...read: Parameters<typeof keptOfPayout>[0][]) =>
    movementsIn({ events: [], transactions: [], parts: [], payouts: read }).at(0);
  const contents = { ...NOTHING, transactions: 1, charges: 9213, fees: -301 };

  it('A payout arrives at the bank once it has left, and names what it consists of', () => {
    const pending = { ...readPayout({ ...paid, status: 'pending' }), contents: null };
    expect(movementOf(pending)).toMatchObject({
      ...{ event_type: 'payout_pending', amount: '0.00', metadata: { waiting_amount: '89.12' } },
    });
    const known = { ...readPayout(paid), contents };
    for (const read of [
      [pending, known],
      [known, pending],
    ]) {
      expect(movementOf(...read)).toMatchObject({
        ...{ event_type: 'payout', amount: '89.12', currency: 'EUR', external_id: 'po_1' },
        metadata: {
          ...{ payout_transactions: '1', payout_charges: '92.13 EUR', payout_fees: '-3.01 EUR' },
          arrival_date: '2026-03-02',
        },
      });
    }
  });

  it('A payout that is not what it consists of names the difference', () => {
    const less = { ...readPayout({ ...paid, amount: 8000 }), contents };
    expect(movementOf(less)?.metadata.payout_difference).toBe('-9.12 EUR');
    const other = { ...readPayout(paid), contents: null };
    expect(movementOf(other)?.metadata).not.toHaveProperty('payout_difference');
  });
});

it.for([
  ['without an amount', { amount: undefined }, /^Stripe event txn_1: the object lacks a member/],
  ['with an amount that is no safe integer', { amount: 2 ** 60 }, /lacks a member/],
  ['in an unknown currency', { currency: 'zzz' }, /currency "zzz" is not/],
  ['whose charge was not sent', { source: 'ch_1' }, /source was not sent whole/],
] as const)('A transaction %s is refused', ([, fields, problem]) => {
  expect(() => readTransaction(transaction(fields), true)).toThrow(problem);
});
