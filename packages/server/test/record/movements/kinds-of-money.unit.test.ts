import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayConcern } from '#server/domains/record/movements/rules/concern';
import type { Report } from '#server/domains/record/movements/rules/report';
import { BOOKS, outcome, type Told, told } from './support/told.js';

test('The payment of a bill is compared as what was paid, not as what is without tax in it', () => {
  const transaction = {
    currency: 'EUR',
    total: '119',
    untaxed: '100',
    settled: '119',
    due: '-119',
  };
  const metadata = { account: 'assets:receivable', basis: 'settlement', transaction };
  const payment = told('payment', BOOKS, '119', { external_id: 'RE-5501', metadata });
  const charge = (amount: string) => told('charge', 'stripe', amount, { description: 'RE-5501' });
  expect(outcome(payment, charge('119.00')).movements).toEqual(['charge,payment']);
  expect(outcome(payment, charge('100.00')).movements).toEqual(['charge', 'payment']);
});

describe('Money between own accounts', () => {
  const payout = (more: Told = {}) =>
    told('payout', 'stripe', '167.00', { kind: 'payout', external_id: 'po_901', ...more });

  test('A payout is not paired with a sale of its amount in the books, which counts', () => {
    const sale = told('sale', BOOKS, '167.00', { day: 1 });
    expect(outcome(payout(), sale)).toEqual({ movements: ['payout', 'sale'], asked: [] });
  });

  test('A sale in the books that names a payout repeats it, and one that only shares what many have is asked', () => {
    const naming = told('sale', BOOKS, '167.00', { day: 9, description: 'Stripe po_901' });
    expect(outcome(payout(), naming)).toEqual({ movements: ['payout,sale'], asked: [] });
    const many = { references: new Set(['client17']), names: new Set<string>() };
    const sharing = [payout(), told('sale', BOOKS, '167.00', { day: 1 })].map((one) => ({
      ...{ ...one, ...many },
    }));
    expect(outcome(...sharing)).toEqual({
      ...{ movements: ['payout', 'sale'], asked: ['payout,sale: other_kind'] },
    });
  });

  test('Of a sale of its payout, the payout is no reference that names it', () => {
    const metadata = { stripe_payout: 'po_901' };
    const charge = told('charge', 'shop', '167.00', { external_id: 'A-1001', metadata });
    expect(outcome(payout(), charge)).toEqual({
      ...{ movements: ['charge', 'payout'], asked: ['charge,payout: other_kind'] },
    });
  });

  test('A line of a bank repeats a payout if it is one, or names its source; and another line is asked', () => {
    const line = (more: Told) => told('line', 'bank/main', '167.00', { day: 3, ...more });
    const paired = { movements: ['line,payout'], asked: [] };
    expect(outcome(payout(), line({ kind: 'payout' }))).toEqual(paired);
    expect(outcome(payout(), line({ description: 'STRIPE PAYMENTS ST-K7' }))).toEqual(paired);
    const asked = { movements: ['line', 'payout'], asked: ['line,payout: other_kind'] };
    expect(outcome(payout(), line({}))).toEqual(asked);
    const late = line({ kind: 'payout', day: 5 });
    expect(outcome(payout(), late)).toEqual({ movements: ['line', 'payout'], asked: [] });
  });

  test('A line of a bank that names the source of a sale of its amount is asked, unless a payout explains it', () => {
    const sale = told('sale', 'adyen', '167.00', { external_id: 'PSP-8001' });
    const line = (more: Told = {}) =>
      told('line', 'bank/main', '167.00', { day: 2, description: 'ADYEN N.V.', ...more });
    const asked = { movements: ['line', 'sale'], asked: ['line,sale: other_kind'] };
    expect(outcome(sale, line())).toEqual(asked);
    const nothing = { movements: ['line', 'sale'], asked: [] };
    expect(outcome(sale, line({ description: 'WEBER' }))).toEqual(nothing);
    expect(outcome(sale, line({ day: 5 }))).toEqual(nothing);
    expect(outcome(sale, line({ kind: 'fee' }))).toEqual(nothing);
    const other = { description: 'ADYEN', metadata: { order_id: 'A-2002' } };
    const ordered = told('sale', 'adyen', '167.00', { metadata: { order_id: 'A-2001' } });
    expect(outcome(ordered, line(other))).toEqual(nothing);
    const paidOut = told('payout', 'adyen', '167.00', { kind: 'payout', external_id: 'batch12' });
    expect(outcome(sale, line(), paidOut)).toEqual({
      movements: ['line,payout', 'sale'],
      asked: [],
    });
    const refund = told('sale', 'adyen', '-167.00', { kind: 'refund', external_id: 'PSP-8002' });
    expect(outcome(refund, line())).toEqual(nothing);
  });

  test('A payout that is stated as what leaves the account arrives at the bank', () => {
    const adyen = told('payout', 'adyen', '-167.00', { kind: 'payout', external_id: 'batch12' });
    const line = told('line', 'bank/main', '167.00', {
      day: 1,
      description: 'ADYEN N.V. BATCH 12',
    });
    expect(outcome(adyen, line)).toEqual({ movements: ['line,payout'], asked: [] });
    const debit = told('line', 'bank/main', '-167.00', { day: 1, description: 'ADYEN N.V.' });
    expect(outcome(adyen, debit)).toEqual({ movements: ['line,payout'], asked: [] });
    expect(outcome(payout(), debit)).toEqual({ movements: ['line', 'payout'], asked: [] });
  });

  test('A line of a bank that is a payout is not paired with the only charge of that payout', () => {
    const metadata = { stripe_payout: 'po_901', stripe_net: '167.00 EUR' };
    const charge = told('charge', 'stripe', '170.00', { external_id: 'ch_1001', metadata });
    const line = told('line', 'bank/main', '167.00', {
      ...{ kind: 'payout', day: 2, description: 'STRIPE PAYMENTS po_901' },
    });
    expect(outcome(charge, line).movements).toEqual(['charge', 'line']);
    expect(outcome(charge, line, payout())).toEqual({
      ...{ movements: ['charge', 'line,payout'], asked: [] },
    });
  });

  test('Two payouts of one amount are told apart by the names that their lines have', () => {
    const lines = ['po_901', 'unknown'].map((text, at) =>
      told(`line${at}`, 'bank/main', '167.00', { kind: 'payout', day: 2, description: text }),
    );
    const second = { ...payout({ external_id: 'po_902' }), id: 'second' };
    expect(outcome(payout(), second, ...lines)).toEqual({
      ...{ movements: ['line0,payout', 'line1,second'], asked: [] },
    });
    const [, unknown] = lines as [Report, Report];
    expect(outcome(payout(), second, unknown)).toEqual({
      movements: ['line1', 'payout', 'second'],
      asked: ['line1,payout: several_possibilities', 'line1,second: several_possibilities'],
    });
  });

  test('A sale in the books is not brought to a payout by the line of the bank between them', () => {
    const line = told('line', 'bank/main', '167.00', { day: 2, description: 'Stripe' });
    const sale = told('sale', BOOKS, '167.00', { day: 2 });
    expect(outcome(payout(), line, sale)).toEqual({
      ...{ movements: ['line,payout', 'sale'], asked: ['line,sale: other_kind'] },
    });
  });

  test('A transfer in the books repeats a payout and its line', () => {
    const line = told('line', 'bank/main', '167.00', { kind: 'payout', day: 2 });
    const transfer = told('transfer', BOOKS, '167.00', { kind: 'transfer', day: 3 });
    expect(outcome(payout(), line, transfer)).toEqual({
      ...{ movements: ['line,payout,transfer'], asked: [] },
    });
  });
});

describe('A payout that the books have as one sum of income', () => {
  const payout = (more: Told = {}) =>
    told('payout', 'stripe', '167.00', {
      ...{ kind: 'payout', external_id: 'po_901', metadata: { payout_fees: '-3.00 EUR' } },
      ...more,
    });
  const transaction = {
    ...{ currency: 'EUR', total: '170', untaxed: '170', fee: '-3', settled: '167' },
  };
  const posted = (id: string, amount: string, more: Told = {}) =>
    told(id, BOOKS, amount, {
      ...{ kind: amount.startsWith('-') ? 'cost' : 'sale', day: 2, ...more },
      metadata: { transaction, ...more.metadata },
    });
  const income = posted('income', '170.00');
  const fee = posted('fee', '-3.00');
  const charges = ['100.00', '70.00'].map((amount, at) =>
    told(`charge${at}`, 'stripe', amount, { external_id: `ch_${at}` }),
  );
  const CHARGES = ['charge0', 'charge1'];

  test('Income and fee repeat the payout, whether they name it or are near it', () => {
    const whole = { movements: [...CHARGES, 'fee,income,payout'], asked: [] };
    expect(outcome(...charges, payout(), income, fee)).toEqual(whole);
    const named = (['170.00', '-3.00'] as const).map((amount, at) =>
      posted(['income', 'fee'][at] ?? '', amount, { day: 12, metadata: { reference: 'po_901' } }),
    );
    expect(outcome(...charges, payout(), ...named)).toEqual(whole);
    const late = [posted('income', '170.00', { day: 12 }), posted('fee', '-3.00', { day: 12 })];
    expect(outcome(payout(), ...late).movements).toEqual(['fee', 'income', 'payout']);
  });

  test('The fee counts by itself where the payout does not state it', () => {
    expect(outcome(payout({ metadata: {} }), income, fee)).toEqual({
      ...{ movements: ['fee', 'income,payout'], asked: [] },
    });
  });

  test('Without the payout, and for a line of the bank alone, they count', () => {
    const line = told('line', 'bank/main', '167.00', { kind: 'payout', day: 2 });
    expect(outcome(...charges, line, income, fee).movements).toEqual([
      ...[...CHARGES, 'fee', 'income', 'line'],
    ]);
    expect(outcome(...charges, payout(), line, income, fee)).toEqual({
      ...{ movements: [...CHARGES, 'fee,income,line,payout'], asked: [] },
    });
  });

  test('A sale of which a fee was kept is its charge before it is a payout', () => {
    const charge = told('charge', 'stripe', '170.00', { external_id: 'ch_1' });
    expect(outcome(charge, payout(), income, fee)).toEqual({
      ...{ movements: ['charge,income', 'fee', 'payout'], asked: [] },
    });
  });

  test('Of two such transactions, neither is paired, and both are asked', () => {
    const other = { ...transaction, untaxed: '169', total: '169', fee: '-2' };
    const second = posted('second', '169.00', { metadata: { transaction: other } });
    expect(outcome(payout(), income, second)).toEqual({
      movements: ['income', 'payout', 'second'],
      asked: ['income,payout: several_possibilities', 'payout,second: several_possibilities'],
    });
  });

  test('Income in two accounts repeats it together', () => {
    const parts = [posted('income', '120.00'), posted('other', '50.00')];
    expect(outcome(payout(), ...parts, fee)).toEqual({
      ...{ movements: ['fee,income,other,payout'], asked: [] },
    });
  });
});

describe('Amount and day alone', () => {
  test.each<[string, MoneyKind, MoneyKind, string]>([
    ['A fee and a debit of income', 'fee', 'sale', '-5.00'],
    ['A refund and a fee', 'refund', 'fee', '-5.00'],
    ['A sale and a cost that came back', 'sale', 'cost', '5.00'],
  ])('%s are asked, and paired if a reference names both', (_name, one, other, amount) => {
    const pair = (more: Told) => [
      told('a', 'stripe', amount, { ...more, kind: one }),
      told('b', BOOKS, amount, { ...more, kind: other }),
    ];
    expect(outcome(...pair({}))).toEqual({ movements: ['a', 'b'], asked: ['a,b: other_kind'] });
    expect(outcome(...pair({ external_id: 'A-1001' })).movements).toEqual(['a,b']);
  });

  test.each<[MoneyKind, MoneyKind]>([
    ['fee', 'cost'],
    ['refund', 'cost'],
    ['refund', 'sale'],
    ['dispute', 'cost'],
    ['tax', 'cost'],
    ['other', 'sale'],
  ])('A %s may be what the books call a %s', (one, other) => {
    const pair = [
      told('a', 'stripe', '-5.00', { kind: one }),
      told('b', BOOKS, '-5.00', { kind: other }),
    ];
    expect(outcome(...pair)).toEqual({ movements: ['a,b'], asked: [] });
  });
});

describe('What was disputed', () => {
  const order = { external_id: 'A-100165' };
  const intent = { stripe_payment_intent: 'pi_1001' };
  const posted = (id: string, amount: string, more: Told) =>
    told(id, BOOKS, amount, { kind: amount.startsWith('-') ? 'cost' : 'sale', ...more });

  test('A chargeback is paired with the dispute, and the refund of the same sale with the refund', () => {
    const reports = [
      told('refund', 'stripe', '-37.30', {
        kind: 'refund',
        external_id: 're_1001',
        metadata: intent,
      }),
      told('returned', 'shop', '-37.30', { ...order, kind: 'refund', metadata: intent }),
      posted('booked', '-37.30', { description: 'Refund Larsen GmbH' }),
      told('dispute', 'stripe', '-37.30', {
        ...{ kind: 'dispute', external_id: 'du_1001', day: 8, metadata: intent },
      }),
      posted('charged back', '-37.30', {
        ...{ ...order, day: 8, description: 'Chargeback' },
      }),
    ];
    expect(outcome(...reports)).toEqual({
      ...{ movements: ['booked,refund,returned', 'charged back,dispute'], asked: [] },
    });
    const [, returned, , , chargedBack] = reports as Report[];
    expect(outcome(...[returned, chargedBack].flatMap((one) => one ?? []))).toEqual({
      movements: ['charged back', 'returned'],
      asked: ['charged back,returned: other_kind'],
    });
  });

  test.each(['Expenses:Chargebacks', 'expenses:disputes'])(
    'What was won back is no sale under the same name if the books have it in the account %s',
    (account) => {
      const won = posted('reversed', '49.90', {
        ...{ kind: 'cost', day: 38, description: 'Reversed A-100501', metadata: { account } },
      });
      const reports = [
        told('charge', 'stripe', '49.90', { description: 'Payment for A-100501' }),
        posted('sale', '49.90', { day: 3 }),
        told('recovery', 'stripe', '49.90', { kind: 'recovery', day: 38, external_id: 'du_1001' }),
      ];
      expect(outcome(...reports, won)).toEqual({
        ...{ movements: ['charge,sale', 'recovery,reversed'], asked: [] },
      });
    },
  );

  test('The fee of a dispute is a cost in the books, which name the dispute', () => {
    const fee = told('fee', 'stripe', '-15.00', { kind: 'fee', external_id: 'txn_1001' });
    const booked = told('booked', BOOKS, '-15.00', { kind: 'cost', description: 'Dispute fee' });
    expect(outcome(fee, booked)).toEqual({ movements: ['booked,fee'], asked: [] });
  });

  test('Books that call a dispute a sale or a cost are compared', () => {
    for (const kind of ['sale', 'cost'] as const) {
      const booked = told('b', BOOKS, '-5.00', { kind, external_id: 'du_1001', day: 9 });
      const dispute = told('a', 'stripe', '-5.00', { kind: 'dispute', external_id: 'du_1001' });
      expect(outcome(dispute, booked)).toEqual({ movements: ['a,b'], asked: [] });
    }
  });
});

describe('Numbers of orders', () => {
  const charge = (metadata: Told['metadata']) =>
    told('charge', 'stripe', '99.00', { external_id: 'ch_1001', ...(metadata && { metadata }) });
  const booked = (external_id: string) => told('booked', BOOKS, '99.00', { external_id });

  test('Events that name different orders are asked, whatever the shapes of their numbers', () => {
    for (const member of [
      'order_id',
      'Order',
      'invoice_number',
      'reference',
      'merchantReference',
      'code',
    ]) {
      expect(outcome(charge({ [member]: 'A-100427' }), booked('700390'))).toEqual({
        ...{ movements: ['booked', 'charge'], asked: ['booked,charge: other_references'] },
      });
    }
    const sale = told('sale', 'shop', '99.00', { external_id: 'A-100427' });
    expect(outcome(sale, booked('700390')).asked).toEqual(['booked,sale: other_references']);
  });

  test('They are asked if they are of one customer, and paired if one has the number of the other anywhere', () => {
    const customer = { references: new Set(['client17']), names: new Set<string>() };
    const orders = [charge({ order_id: 'A-100427' }), booked('700390')];
    const shared = orders.map((one) => ({
      ...one,
      ...{ ...customer, references: new Set([...one.references, 'client17']) },
    }));
    expect(outcome(...shared).asked).toEqual(['booked,charge: other_references']);
    const both = charge({ order_id: 'A-100427', number: '700390' });
    expect(outcome(both, booked('700390'))).toEqual({ movements: ['booked,charge'], asked: [] });
  });

  test('The id of a charge is no number of an order', () => {
    expect(outcome(charge({}), booked('700390')).movements).toEqual(['booked,charge']);
  });
});

describe('What a fee has left of a sale', () => {
  const order = { external_id: 'A-100902' };
  const charge = told('charge', 'stripe', '100.00', { metadata: { order_id: 'A-100902' } });
  const sale = told('sale', 'shop', '100.00', order);
  const fee = told('fee', 'shop', '-1.65', { ...order, kind: 'fee' });
  const booked = (amount: string) => told('booked', BOOKS, amount, { ...order, day: 12 });

  test('The books have it of the sale whose source states the fee by itself', () => {
    expect(outcome(charge, sale, fee, booked('98.35'))).toEqual({
      ...{ movements: ['booked,charge,sale', 'fee'], asked: [] },
    });
    expect(outcome(sale, fee, booked('98.35')).movements).toEqual(['booked,sale', 'fee']);
  });

  test('It is asked where nobody states the fee, or another one, up to 15 per cent', () => {
    expect(outcome(charge, booked('98.35'))).toEqual({
      ...{ movements: ['booked', 'charge'], asked: ['booked,charge: other_amount'] },
    });
    expect(outcome(sale, fee, booked('98.00')).asked).toEqual(['booked,sale: other_amount']);
    expect(outcome(charge, booked('85.00')).asked).toEqual(['booked,charge: other_amount']);
    for (const amount of ['84.99', '100.01']) {
      const unnumbered = { ...booked(amount), orders: new Set<string>() };
      expect(outcome({ ...charge, orders: new Set() }, unnumbered)).toEqual({
        ...{ movements: ['booked', 'charge'], asked: [] },
      });
    }
  });

  test('It is neither asked nor taken where the books have the whole as well', () => {
    const whole = { ...booked('100.00'), id: 'whole' };
    expect(outcome(sale, fee, whole, booked('98.35'))).toEqual({
      ...{ movements: ['booked', 'fee', 'sale,whole'], asked: [] },
    });
  });

  test('The fees of one sale are taken off together, however much they are, and those of two sales not at all', () => {
    const second = { ...fee, id: 'second', amount: '-20.00' };
    expect(outcome(sale, fee, second, booked('78.35')).movements).toEqual([
      ...['booked,sale', 'fee', 'second'],
    ]);
    const twin = { ...sale, id: 'twin' };
    expect(outcome(sale, twin, fee, booked('98.35')).movements).toEqual([
      ...['booked', 'fee', 'sale', 'twin'],
    ]);
  });
});

describe('Several reports under one name', () => {
  const order = { order_id: 'A-1001' };
  const charges = ['A1', 'A2'].map((id, day) =>
    told(id, 'stripe', '61.00', {
      ...{
        day,
        external_id: `ch_${id}`,
        metadata: { ...order, stripe_payment_intent: `pi_${id}` },
      },
    }),
  );
  const sale = told('shop', 'shop', '61.00', {
    ...{ external_id: 'A-1001', metadata: { payment_intent: 'pi_A1' } },
  });

  test('The one that has more names in common is it, and the second payment is asked', () => {
    expect(outcome(...charges, sale)).toEqual({
      ...{ movements: ['A1,shop', 'A2'], asked: ['A2,shop: one_source'] },
    });
    const booked = told('booked', BOOKS, '61.00', { external_id: 'A-1001', day: 1 });
    expect(outcome(...charges, sale, booked)).toEqual({
      ...{ movements: ['A1,booked,shop', 'A2'], asked: ['A2,shop: one_source'] },
    });
    const plain = told('shop', 'shop', '61.00', { external_id: 'A-1001', day: 3 });
    expect(outcome(...charges, plain).movements).toEqual(['A1', 'A2', 'shop']);
  });

  test('The one of the same minute is it, unless it is of the books, which state days', () => {
    const plain = (minutes: number, source = 'shop') =>
      told('shop', source, '61.00', { external_id: 'A-1001', day: minutes / 1440 });
    expect(outcome(...charges, plain(1))).toEqual({
      ...{ movements: ['A1,shop', 'A2'], asked: ['A2,shop: one_source'] },
    });
    for (const apart of [plain(1.01), plain(0, BOOKS)]) {
      expect(outcome(...charges, apart).movements).toEqual(['A1', 'A2', 'shop']);
    }
  });

  test('Two refunds of one payment are told apart by their moments', () => {
    const intent = { stripe_payment_intent: 'pi_1001' };
    const refunds = [0, 2].flatMap((day) => [
      told(`re${day}`, 'stripe', '-4.91', {
        kind: 'refund',
        external_id: `re_100${day}`,
        day,
        metadata: intent,
      }),
      told(`shop${day}`, 'shop', '-4.91', {
        kind: 'refund',
        day,
        metadata: { ...intent, order: 'A-100616' },
      }),
    ]);
    expect(outcome(...refunds)).toEqual({ movements: ['re0,shop0', 're2,shop2'], asked: [] });
  });

  test('A customer and a moment in common name the money, whatever posting may be of it', () => {
    const customer = { customer_id: 'C-1236' };
    const pair = (at: number, more: Told = {}) => [
      told(`charge${at}`, 'stripe', '19.90', {
        day: at,
        metadata: { ...customer, ...more.metadata },
      }),
      told(`sale${at}`, 'shop', '19.90', { day: at, metadata: { ...customer, ...more.metadata } }),
    ];
    const other = pair(0.1, { metadata: { customer_id: 'C-1237', order_id: 'A-100252' } });
    const booked = told('booked', BOOKS, '19.90');
    const made = outcome(...pair(0), ...other, booked);
    expect(made.movements).toEqual(['booked', 'charge0,sale0', 'charge0.1,sale0.1']);
    expect(made.asked.length).toBe(4);
    expect(outcome(...pair(0), booked).movements).toEqual(['booked,charge0,sale0']);
  });

  test('Two orders of one customer on a day are not asked', () => {
    const pair = (n: number) => [
      told(`c${n}`, 'stripe', '9.00', { metadata: { order: `A-100${n}`, client: 'client17' } }),
      told(`s${n}`, 'shop', '9.00', { metadata: { order: `A-100${n}`, client: 'client17' } }),
    ];
    expect(outcome(...pair(1), ...pair(2))).toEqual({ movements: ['c1,s1', 'c2,s2'], asked: [] });
  });

  test('A reference in the description names the money 19 days later', () => {
    const charge = told('charge', 'stripe', '77.13', { metadata: { order_id: 'A-100152' } });
    const booked = told('booked', BOOKS, '77.13', { day: 19, description: 'Sale A-100152' });
    expect(outcome(charge, booked)).toEqual({ movements: ['booked,charge'], asked: [] });
  });
});

describe('A sale that was paid in part', () => {
  const transaction = { currency: 'EUR', total: '80', untaxed: '80', settled: '30', due: '50' };
  const stated = { external_id: 'A-1001', metadata: { account: 'x', transaction } };
  const [income, rest] = [told('income', BOOKS, '80', stated), told('rest', BOOKS, '-50', stated)];
  const charge = told('charge', 'stripe', '30.00', { metadata: { order_id: 'A-1001' } });
  const sale = told('sale', 'shop', '80.00', { external_id: 'A-1001' });

  test('The payment is all reports of the transaction together', () => {
    expect(outcome(income, rest, charge)).toEqual({ movements: ['charge,income,rest'], asked: [] });
    expect(outcome(income, rest, charge, sale).movements).toEqual(['charge,income,rest,sale']);
    expect(outcome(income, rest, sale).movements).toEqual(['income,sale', 'rest']);
    expect(outcome(income, charge).movements).toEqual(['charge,income']);
  });

  test('Nothing is put together that is not what was paid', () => {
    const less = { ...transaction, due: '40' };
    const other = told('rest', BOOKS, '-50', { ...stated, metadata: { transaction: less } });
    expect(outcome(income, other, charge).movements).toEqual(['charge,income', 'rest']);
    const second = { ...rest, id: 'second' };
    expect(outcome(income, rest, second, charge).movements).toContain('second');
  });

  test('Several incomes with tax and a kept fee are what was paid before the fee', () => {
    const whole = { total: '119', untaxed: '100', tax: '19', fee: '-1', settled: '49', due: '69' };
    const of = (id: string, amount: string) =>
      told(id, BOOKS, amount, {
        ...{ external_id: 'A-1001', metadata: { transaction: { currency: 'EUR', ...whole } } },
      });
    const parts = [of('one', '60'), of('two', '40'), of('rest', '-69')];
    const paid = told('charge', 'stripe', '50.00', { metadata: { order_id: 'A-1001' } });
    expect(outcome(...parts, paid).movements).toEqual(['charge,one,rest,two']);
  });
});

describe('A sale that is booked with what was taken off it', () => {
  const of = (id: string, amount: string, whole = {}) =>
    told(id, BOOKS, amount, {
      external_id: 'A-1009',
      metadata: {
        account: id,
        transaction: { currency: 'EUR', total: '90', untaxed: '90', settled: '90', ...whole },
      },
    });
  const charge = told('charge', 'stripe', '90.00', { metadata: { order_id: 'A-1009' } });

  test('All of it is what was paid', () => {
    expect(outcome(of('income', '100'), of('less', '-10'), charge)).toEqual({
      ...{ movements: ['charge,income,less'], asked: [] },
    });
    const three = [of('income', '70'), of('more', '30'), of('less', '-10'), charge];
    expect(outcome(...three).movements).toEqual(['charge,income,less,more']);
  });

  test('A cost, a fee or what is owed is no part of it', () => {
    const cost = [of('income', '90'), of('goods', '-10'), charge];
    expect(outcome(...cost).movements).toEqual(['charge,income', 'goods']);
    const kept = { settled: '88', fee: '-2' };
    const fee = [of('income', '90', kept), of('fee', '-2', kept), charge];
    expect(outcome(...fee).movements).toEqual(['charge,income', 'fee']);
  });
});

describe('A transfer that the books have', () => {
  const transfer = (amount: string, description = '') =>
    told('transfer', BOOKS, amount, { kind: 'transfer', description });
  const line = (id: string, amount: string, more: Told = {}) =>
    told(id, `bank/${id}`, amount, { kind: 'other', day: 1, ...more });

  test.each(['5000.00', '-5000.00'])(
    'Its lines at the bank are asked about, in either direction, when the books state %s',
    (amount) => {
      const [out, into] = [line('out', '-5000.00', { kind: 'cost' }), line('in', '5000.00')];
      expect(outcome(transfer(amount), out, into)).toEqual({
        movements: ['in', 'out', 'transfer'],
        asked: ['in,transfer: other_kind', 'out,transfer: other_kind'],
      });
      const number = { description: 'TRF-77123' };
      const named = [line('out', '-5000.00', number), line('in', '5000.00', number)];
      expect(outcome(transfer(amount, 'TRF-77123'), ...named)).toEqual({
        ...{ movements: ['in,out,transfer'], asked: [] },
      });
    },
  );

  test('The line of a payout is not asked about', () => {
    const payout = told('payout', 'stripe', '5000.00', { kind: 'payout' });
    const arrived = line('in', '5000.00', { description: 'Stripe' });
    expect(outcome(transfer('5000.00'), arrived, payout)).toEqual({
      ...{ movements: ['in,payout,transfer'], asked: [] },
    });
    const late = told('transfer', BOOKS, '5000.00', { kind: 'transfer', day: 5 });
    expect(outcome(late, arrived, payout)).toEqual({
      ...{ movements: ['in,payout', 'transfer'], asked: [] },
    });
    expect(outcome(late, arrived).asked).toEqual(['in,transfer: other_kind']);
  });

  test('What is a sale in the books, too late or of another amount is not asked about', () => {
    const sale = told('sale', BOOKS, '5000.00', { day: 1 });
    expect(outcome(transfer('5000.00'), line('in', '5000.00'), sale)).toEqual({
      ...{ movements: ['in,sale', 'transfer'], asked: [] },
    });
    for (const other of [line('in', '5000.00', { day: 5 }), line('in', '5000.01')]) {
      expect(outcome(transfer('5000.00'), other).asked).toEqual([]);
    }
  });
});

describe('A bill that was paid less a discount', () => {
  const of = (whole: object, id: string, amount: string, day = 9) =>
    told(id, BOOKS, amount, {
      ...{ external_id: 'RE-5501', day },
      metadata: { account: 'x', transaction: { currency: 'EUR', ...whole } },
    });
  const taxed = {
    ...{ total: '-2.38', untaxed: '-2', tax: '-0.38', settled: '116.62', due: '-119' },
  };
  const booked = [of(taxed, 'payment', '119'), of(taxed, 'discount', '-2')];
  const line = (amount: string, description = 'RE-5501') =>
    told('line', 'bank/main', amount, { day: 9, description, kind: 'other' });

  test('What was owed and the discount are the payment together', () => {
    expect(outcome(...booked, line('116.62'))).toEqual({
      ...{ movements: ['discount,line,payment'], asked: [] },
    });
    const own = { total: '5', untaxed: '5', settled: '-95', due: '100' };
    const paid = [of(own, 'payment', '-100'), of(own, 'discount', '5')];
    expect(outcome(...paid, line('-95.00')).movements).toEqual(['discount,line,payment']);
  });

  test('Each of them finds the payment, and the other one', () => {
    const [payment, discount] = booked as [Report, Report];
    expect(mayConcern(line('116.62'), payment)).toBe(true);
    expect(mayConcern(payment, discount)).toBe(true);
    expect(mayConcern(line('117.00', 'RE-5502'), payment)).toBe(false);
  });

  test('Nothing is put together that is not what was paid', () => {
    for (const other of [line('-116.62'), line('2.38'), line('117.00')]) {
      expect(outcome(...booked, other).movements).toEqual(['discount', 'line', 'payment']);
    }
    expect(outcome(...booked, line('119.00')).movements).toEqual(['discount', 'line,payment']);
    const less = { ...taxed, due: '-118' };
    const wrong = [of(less, 'payment', '119'), of(less, 'discount', '-2')];
    expect(outcome(...wrong, line('116.62')).movements).toEqual(['discount', 'line', 'payment']);
    const second = of(taxed, 'second', '119');
    expect(outcome(...booked, second, line('116.62')).movements).toContain('line');
  });
});

describe('All of it together', () => {
  const drawn = fc
    .record({
      source: fc.constantFrom('stripe', 'shop', BOOKS, 'accounting/b', 'bank/main'),
      amount: fc.constantFrom('167.00', '170.00', '-3.00', '-1.65', '168.35', '163.50'),
      kind: fc.constantFrom<MoneyKind[]>('sale', 'fee', 'cost', 'payout', 'transfer', 'other'),
      day: fc.nat(6),
      external_id: fc.constantFrom('po_901', 'A-1001', 'none'),
      metadata: fc.constantFrom(
        ...[{}, { payout_fees: '-3.00 EUR' }, { order: 'A-1001' }, { stripe_payout: 'po_901' }],
        { transaction: { currency: 'EUR', untaxed: '170', fee: '-3', settled: '167' } },
      ),
    })
    .map(({ source, amount, ...more }) => told('', source, amount, more));

  test('It does not depend on the order of the reports', () => {
    const all = fc
      .array(drawn, { minLength: 2, maxLength: 9 })
      .map((reports) => reports.map((one, at) => ({ ...one, id: `evt_${at}` })));
    fc.assert(
      fc.property(all, (reports) => {
        const { movements } = outcome(...reports);
        expect(movements.join(',').split(',').sort()).toEqual(reports.map(({ id }) => id).sort());
      }),
      { numRuns: 500 },
    );
  });
});
