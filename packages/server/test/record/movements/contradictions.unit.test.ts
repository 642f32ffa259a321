import { describe, expect, test } from 'vitest';
import type { Report } from '#server/domains/record/movements/rules/report';
import { settle } from '#server/domains/record/movements/rules/same-money';
import { BOOKS, outcome, type Told, told } from './support/told.js';

const of = (customer_id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  metadata: { customer_id, ...more },
});
const charge = (more: Told = {}, amount = '9.90') =>
  told('charge', 'stripe', amount, {
    ...more,
    external_id: 'ch_3AAB',
    metadata: { stripe_payment_intent: 'pi_3CCD', ...more.metadata },
  });
const booked = (more: Told = {}, amount = '9.90') => told('booked', BOOKS, amount, more);
const sale = (more: Told = {}, amount = '9.90') => told('sale', 'shop', amount, more);

describe('What a reference has explained', () => {
  test.each<[string, Told, Told, Told]>([
    [
      'of another customer and number, over the posting of an invoice',
      of('C-1793', { invoice: 'INV-2025-00517' }),
      { day: 2, external_id: 'INV/2025/00517', description: 'Sale Osei Inc' },
      { day: 3, external_id: 'A-103007', ...of('C-1173') },
    ],
    [
      'of another number, which the posting writes in its description',
      { metadata: { order_id: '#700825' } },
      { description: 'Sale 700825' },
      { day: -4, external_id: 'A-103631' },
    ],
    [
      'of another customer alone',
      of('C-1098', { invoice: 'INV202500638' }),
      { description: 'Payment INV-2025-00638' },
      { day: 1, ...of('C-2651') },
    ],
    [
      'of another number, with the posting weeks later',
      of('C-1177', { invoice: 'INV-2025-00058' }),
      { day: 23, description: 'Sale INV 2025 00058' },
      { day: 21, external_id: '700224' },
    ],
  ])('It is joined by no sale %s', (_name, one, posting, other) => {
    expect(outcome(charge(one), booked(posting), sale(other))).toEqual({
      ...{ movements: ['booked,charge', 'sale'], asked: [] },
    });
  });

  test('It is joined by no posting that names another order', () => {
    const order = { metadata: { order_id: 'A-100128' } };
    const posting = booked({ day: -3, metadata: { reference: '700269' } });
    expect(outcome(charge(order), sale({ external_id: 'A-100128' }), posting)).toEqual({
      ...{ movements: ['booked', 'charge,sale'], asked: [] },
    });
  });

  test('It is joined by what agrees with all of it, or says nothing', () => {
    const paired = [
      charge(of('C-1', { order_id: 'A-100128' })),
      booked({ external_id: 'A-100128' }),
    ];
    for (const more of [{}, of('C-1'), { metadata: { client: 'C-1', plan: 'pro' } }]) {
      const copy = told('copy', 'accounting/b', '9.90', more);
      expect(outcome(...paired, copy)).toEqual({ movements: ['booked,charge,copy'], asked: [] });
    }
    const other = told('copy', 'accounting/b', '9.90', of('C-2'));
    expect(outcome(...paired, other)).toEqual({ movements: ['booked,charge', 'copy'], asked: [] });
  });

  test('A number that one of them names is one of all of them', () => {
    const invoiced = charge({ metadata: { invoice: 'INV-2025-00517' } });
    const sold = sale({ external_id: 'A-103007', metadata: { payment_intent: 'pi_3CCD' } });
    expect(outcome(invoiced, sold, booked({ day: 2 })).movements).toEqual(['booked,charge,sale']);
    const posting = booked({ day: 2, external_id: 'A-103007' });
    expect(outcome(invoiced, sold, posting).movements).toEqual(['booked,charge,sale']);
  });
});

describe('What contradicts itself', () => {
  test.each(['17', '#18', 'A-1'])(
    'Numbers of orders tell apart however short they are: %s',
    (number) => {
      const reports = [sale({ external_id: '7' }), booked({ external_id: number })];
      expect(outcome(...reports)).toEqual({
        ...{ movements: ['booked', 'sale'], asked: ['booked,sale: other_references'] },
      });
      const charged = charge({ metadata: { order_id: number, order_of_day: '7' } });
      expect(outcome(charged, booked({ external_id: '7' })).movements).toEqual([
        'booked',
        'charge',
      ]);
      const counted = sale({ metadata: { order_of_day: 26 } });
      expect(outcome(counted, booked({ external_id: number })).movements).toEqual(['booked,sale']);
    },
  );

  test('It is asked after what shares a reference, though that states less', () => {
    const other = { order_id: 'A-100510' };
    const reports = [
      sale({ external_id: 'A-100485' }, '34.90'),
      booked({ external_id: 'A-100485' }, '34.16'),
      charge({ metadata: other }, '34.90'),
      { ...booked({ external_id: 'A-100510' }, '34.90'), id: 'paid' },
    ];
    expect(outcome(...reports)).toEqual({
      ...{ movements: ['booked', 'charge,paid', 'sale'], asked: ['booked,sale: other_amount'] },
    });
  });

  test('A second posting of a sale is asked about with that one, whatever a person paired with it', () => {
    const sales = ['A-100001', 'A-100002'].map((number, at) =>
      told(`sale${at}`, 'shop', '19.90', { external_id: number }),
    );
    const posted = told('posted', BOOKS, '19.90', { external_id: 'A-100001', day: 1 });
    const all = [...sales, posted, told('first', BOOKS, '19.90', { day: 1 })];
    const same = [['first', 'sale0'] as const];
    const { movements, doubtful } = settle(all, { same, apart: [], contradicted: [] });
    expect(movements.length).toBe(3);
    expect(doubtful.map(({ reports, doubt }) => [...[...reports].sort(), doubt].join())).toEqual([
      'posted,sale0,one_source',
    ]);
    const apart = [['posted', 'sale0'] as const];
    expect(settle(all, { same, apart, contradicted: [] }).doubtful).toMatchObject([
      { doubt: 'other_references' },
    ]);
  });
});

describe('A reference of several orders', () => {
  const year = { purchase_order: 'PO-7321' };

  test('It pairs no two of them', () => {
    const reports = [
      sale({ external_id: 'A-103038', metadata: year }),
      charge({ day: 42, metadata: { ...year, order_id: 'A-102884' } }),
      booked({ day: 42, external_id: 'A-102884' }),
    ];
    expect(outcome(...reports)).toEqual({ movements: ['booked,charge', 'sale'], asked: [] });
    const shaped = charge({ day: 42, metadata: { ...year, order_id: '700460' } });
    expect(outcome(...reports.slice(0, 1), shaped).movements).toEqual(['charge', 'sale']);
    const [first, second] = reports as [(typeof reports)[0], (typeof reports)[0]];
    expect(outcome(first, { ...second, timestamp: 0 })).toEqual({
      ...{ movements: ['charge', 'sale'], asked: ['charge,sale: other_references'] },
    });
  });

  test('A posting of two orders brings no two of them together', () => {
    const posting = booked({ description: 'A-103038 and A-102884' });
    const reports = [
      charge({ metadata: { order_id: 'A-103038' } }),
      sale({ external_id: 'A-102884' }),
    ];
    expect(outcome(posting, ...reports)).toEqual({
      movements: ['booked', 'charge', 'sale'],
      asked: ['booked,charge: other_references', 'booked,sale: other_references'],
    });
  });

  test.each([
    'customer_id',
    'client',
    'stripe_customer',
    'buyerNumber',
    'purchase_order',
    'subscriptionId',
  ])('A %s names no money, however few have it', (member) => {
    const reports = [
      sale({ metadata: { [member]: 'C-1321' } }),
      charge({ day: 42, metadata: { [member]: 'C-1321' } }),
    ];
    expect(outcome(...reports)).toEqual({
      ...{ movements: ['charge', 'sale'], asked: ['charge,sale: far_apart'] },
    });
  });

  test('Two shops that number alike are told apart by the customers, unless these are written otherwise', () => {
    const sales = (...customers: string[]) =>
      customers.map((customer, at) =>
        told(`sale${at}`, `shop-${at}`, '40.00', { external_id: '1001', ...of(customer) }),
      );
    expect(outcome(...sales('C-1', 'C-2'))).toEqual({
      ...{ movements: ['sale0', 'sale1'], asked: ['sale0,sale1: other_references'] },
    });
    expect(outcome(...sales('C-1', 'C-12')).movements).toEqual(['sale0', 'sale1']);
    for (const same of ['C-1', 'c1', 'jo@example.com']) {
      expect(outcome(...sales('C-1', same)).movements).toEqual(['sale0,sale1']);
    }
  });

  test('The id of a payment at its processor pairs it whatever the numbers are', () => {
    const numbered = charge({ metadata: { order_id: '100245', customer_id: 'C-1' } });
    const sold = sale({
      external_id: '700312',
      metadata: { payment_intent: 'pi_3CCD', customer_id: 'C-2' },
    });
    const posting = booked({ day: 9, external_id: '700312' });
    expect(outcome(numbered, sold, posting)).toEqual({
      ...{ movements: ['booked,charge,sale'], asked: [] },
    });
  });
});

describe('What a processor says of a payment', () => {
  const order = { order_id: 'A-100133', customer_id: 'C-7' };
  const paid = charge({ metadata: order }, '30.00');
  const about = { stripe_charge: 'ch_3AAB' };
  const kept = told('fee', 'stripe', '-0.67', {
    ...{ kind: 'fee', external_id: 'txn_1', metadata: about },
  });
  const posted = (amount: string, more: Told = {}) =>
    told(`posted${amount}`, BOOKS, amount, {
      ...{ kind: amount.startsWith('-') ? 'cost' : 'sale', external_id: 'A-100133', day: 27 },
      ...more,
    });

  test('Its fee is the one in the books under the order of the payment, weeks later', () => {
    expect(outcome(paid, kept, posted('30.00'), posted('-0.67'))).toEqual({
      ...{ movements: ['charge,posted30.00', 'fee,posted-0.67'], asked: [] },
    });
    expect(outcome(kept, posted('30.00'), posted('-0.67')).movements.length).toBe(3);
  });

  test('Equal fees of two orders are told apart by them, and the fee of a third one is in none', () => {
    const orders = ['A-100133', '700246'].flatMap((number, at) => [
      told(`charge${at}`, 'stripe', '20.90', {
        ...{ external_id: `ch_${at}AA`, metadata: { order_id: number } },
      }),
      told(`fee${at}`, 'stripe', '-0.54', {
        ...{ kind: 'fee', external_id: `txn_${at}AA`, metadata: { stripe_charge: `ch_${at}AA` } },
      }),
      posted('20.90', { external_id: number, day: at }),
      posted('-0.54', { external_id: number, day: at }),
    ]);
    const reports = orders.map((one, at) => ({ ...one, id: `${one.id}.${at}` }));
    expect(outcome(...reports)).toEqual({
      movements: [
        ...['charge0.0,posted20.90.2', 'charge1.4,posted20.90.6'],
        ...['fee0.1,posted-0.54.3', 'fee1.5,posted-0.54.7'],
      ],
      asked: [],
    });
    const third = posted('-0.67', { external_id: 'A-106070', day: 0 });
    expect(outcome(paid, kept, third)).toEqual({
      ...{ movements: ['charge', 'fee', 'posted-0.67'] },
      asked: ['fee,posted-0.67: other_references'],
    });
  });

  test('What was given back is found under the order of the payment', () => {
    const refund = (id: string, day = 10) =>
      told(id, 'stripe', '-58.00', { kind: 'refund', external_id: id, day, metadata: about });
    const back = posted('-58.00', { kind: 'sale', day: 28, description: 'Refund Tanaka AB' });
    expect(outcome(paid, refund('re_1AA'), back)).toEqual({
      ...{ movements: ['charge', 'posted-58.00,re_1AA'], asked: [] },
    });
    // Of two, the one that the books name is it.
    const named = posted('-58.00', { kind: 'sale', day: 28, external_id: 're_1AA' });
    const other = { ...posted('-58.00', { kind: 'sale', day: 28 }), id: 'other' };
    const two = [refund('re_1AA'), refund('re_2BB', 12)];
    expect(outcome(paid, ...two, named, other).movements).toEqual([
      ...['charge', 'other,re_2BB', 'posted-58.00,re_1AA'],
    ]);
  });

  test('A refund, a chargeback and the fee of it are told apart under one order', () => {
    const lost = told('dispute', 'stripe', '-30.00', {
      ...{ kind: 'dispute', external_id: 'du_1AA', day: 20, metadata: about },
    });
    const refund = told('refund', 'stripe', '-30.00', {
      ...{ kind: 'refund', external_id: 're_1AA', day: 2, metadata: about },
    });
    const fee = told('dispute fee', 'stripe', '-15.00', {
      ...{ kind: 'fee', external_id: 'txn_2', day: 20, metadata: about },
    });
    const chargeback = { ...posted('-30.00', { description: 'Chargeback' }), id: 'chargeback' };
    const back = posted('-30.00', { kind: 'sale', description: 'Refund' });
    const ofDispute = posted('-15.00', { description: 'Dispute fee' });
    expect(outcome(paid, refund, lost, fee, back, chargeback, ofDispute)).toEqual({
      movements: [
        'charge',
        'chargeback,dispute',
        'dispute fee,posted-15.00',
        'posted-30.00,refund',
      ],
      asked: [],
    });
    expect(
      outcome(fee, posted('-15.00', { day: 20, description: 'Dispute fee' })).movements,
    ).toEqual(['dispute fee,posted-15.00']);
    const shop = told('told', 'shop', '-30.00', {
      kind: 'dispute',
      day: 20,
      external_id: 'A-100133',
    });
    expect(outcome(paid, lost, shop).movements).toEqual(['charge', 'dispute,told']);
  });

  test('What was won back is no sale of the books', () => {
    const won = told('won', 'stripe', '29.00', {
      kind: 'recovery',
      external_id: 'du_1AA',
      ...of('C-7'),
    });
    const sold = posted('29.00', { day: 0, description: 'Sale Larsen KK', ...of('C-7') });
    expect(outcome(won, sold)).toEqual({
      ...{ movements: ['posted29.00', 'won'], asked: ['posted29.00,won: other_kind'] },
    });
    const reversed = posted('29.00', { day: 0, description: 'Chargeback reversed' });
    expect(outcome(won, reversed).movements).toEqual(['posted29.00,won']);
  });

  test('What was settled of a payment is no reference', () => {
    const settled = { stripe_settled: '30.00 EUR', stripe_fee: '1000.25 EUR' };
    const { references } = charge({ metadata: settled }, '30.00');
    expect([...references]).toEqual(['ch3aab', 'pi3ccd']);
  });
});

describe('Payments of two processors', () => {
  const invoice = { metadata: { invoice: 'INV-2026-0711' } };
  const paidAt = (source: string, more: Told = {}) =>
    told(source, source, '9.90', { external_id: '9AB12345CD678901E', ...invoice, ...more });

  test.each([0, 3, 7, 44])(
    'They are never one by the invoice that both name, %i days apart, and asked about',
    (day) => {
      for (const source of ['paypal', 'adyen/eu', 'mollie']) {
        expect(outcome(charge(invoice), paidAt(source, { day }))).toEqual({
          movements: ['charge', source].sort(),
          asked: [`${['charge', source].sort().join()}: other_references`],
        });
      }
    },
  );

  test('A posting of the invoice may be of either', () => {
    const { movements, asked } = outcome(
      ...[charge(invoice), paidAt('paypal', { day: 3 })],
      booked({ day: 4, external_id: 'INV-2026-0711' }),
    );
    expect(movements).toEqual(['booked', 'charge', 'paypal']);
    expect(asked.map((pair) => pair.replace(/:.*/, ''))).toEqual([
      ...['booked,charge', 'booked,paypal', 'charge,paypal'],
    ]);
  });

  test('What names the id of the other one is of it', () => {
    const named = { metadata: { ...invoice.metadata, charge: 'ch_3AAB' } };
    expect(outcome(charge(invoice), paidAt('paypal', named))).toEqual({
      ...{ movements: ['charge,paypal'], asked: [] },
    });
  });

  test('The two accounts of one processor may repeat each other', () => {
    const own = paidAt('paypal/eu', { external_id: 'PAY-7711' });
    expect(outcome(paidAt('paypal'), own).movements).toEqual(['paypal,paypal/eu']);
  });
});

test('What a source sent twice under one id is asked about, and never paired', () => {
  const id = { external_id: '5AB12345CD678901E' };
  for (const source of ['paypal', 'shop', 'bank/main']) {
    const [one, other] = ['one', 'other'].map((name) => told(name, source, '49.00', id)) as [
      Report,
      Report,
    ];
    expect(outcome(one, other)).toEqual({
      ...{ movements: ['one', 'other'], asked: ['one,other: one_source'] },
    });
    for (const not of [told('other', source, '-49.00', id), told('other', source, '48.00', id)]) {
      expect(outcome(one, not).asked).toEqual([]);
    }
  }
  const postings = ['one', 'other'].map((name) => told(name, BOOKS, '49.00', id));
  expect(outcome(...postings).asked).toEqual([]);
});
