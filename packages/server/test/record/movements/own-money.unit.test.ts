import { describe, expect, test } from 'vitest';
import { mayConcern } from '#server/domains/record/movements/rules/concern';
import { BOOKS, outcome, type Told, told } from './support/told.js';

describe('What the books say of money that was not earned', () => {
  const loan = told('loan', BOOKS, '5000', { kind: 'transfer', day: 1, description: 'Bank loan' });

  test('A line of its amount is asked about, also if the bank calls it a tax', () => {
    const line = (more: Told) => told('line', 'bank/main', '5000.00', more);
    for (const kind of ['sale', 'other', 'tax'] as const) {
      expect(outcome(loan, line({ kind }))).toEqual({
        ...{ movements: ['line', 'loan'], asked: ['line,loan: other_kind'] },
      });
    }
    expect(outcome(loan, line({ kind: 'fee' })).asked).toEqual([]);
  });

  test('A line that has its number is of it, and one that a sale of that number explains is not', () => {
    const named = told('loan', BOOKS, '5000', { kind: 'transfer', external_id: 'KV-80017' });
    const line = told('line', 'bank/main', '5000.00', { day: 2, description: 'KV-80017 Kredit' });
    expect(outcome(named, line)).toEqual({ movements: ['line,loan'], asked: [] });
    const sale = told('sale', BOOKS, '5000', { day: 2, external_id: 'KV-80017' });
    expect(outcome(loan, sale, line)).toEqual({ movements: ['line,sale', 'loan'], asked: [] });
  });
});

describe('Lines of two banks', () => {
  const out = (more: Told = {}) => told('out', 'bank/giro', '-700.00', { kind: 'cost', ...more });
  const into = (more: Told = {}) => told('in', 'bank/savings', '700.00', { day: 1, ...more });
  const asked = { movements: ['in', 'out'], asked: ['in,out: other_kind'] };
  const nothing = { movements: ['in', 'out'], asked: [] };

  test('What left one and reached another may be a transfer', () => {
    expect(outcome(out(), into())).toEqual(asked);
    expect(mayConcern(out(), into())).toBe(true);
    expect(outcome(out(), into({ day: 5 }))).toEqual(nothing);
    expect(outcome(out(), into({ kind: 'refund' }))).toEqual(nothing);
    expect(outcome(out(), told('in', 'bank/giro', '700.00'))).toEqual(nothing);
    expect(outcome(out(), told('in', 'shop', '700.00'))).toEqual(nothing);
    expect(outcome(out(), told('in', 'bank/savings', '-700.00', { day: 9 })).asked).toEqual([]);
  });

  test('Nothing is asked where a line is explained already', () => {
    const bill = told('bill', BOOKS, '-700', { kind: 'cost' });
    expect(outcome(out(), into(), bill)).toEqual({ movements: ['bill,out', 'in'], asked: [] });
  });

  test('In another currency, a reference must name both', () => {
    const dollars = (more: Told) => ({
      ...told('in', 'bank/usd', '760.00', more),
      currency: 'USD',
    });
    const text = { description: 'FX 88127' };
    expect(outcome(out(text), dollars(text))).toEqual(asked);
    expect(outcome(out(text), dollars({}))).toEqual(nothing);
    const worth = (one: number, other: number) => [
      { ...out(text), worth: one },
      { ...dollars(text), worth: other },
    ];
    expect(outcome(...worth(700, 690))).toEqual(asked);
    expect(outcome(...worth(700, 350))).toEqual(nothing);
  });
});

describe('What was disputed, with its fee', () => {
  const order = { metadata: { order_id: 'T-61001' } };
  const dispute = told('dispute', 'mollie', '-48.00', { kind: 'dispute', day: 9, ...order });
  const fee = (amount: string, day = 9) =>
    told('fee', 'mollie', amount, { kind: 'fee', day, ...order });
  const line = told('line', 'bank/main', '-63.00', {
    kind: 'cost',
    day: 11,
    description: 'T-61001',
  });

  test('A line of both is of the dispute, and the fee counts by itself', () => {
    expect(outcome(dispute, fee('-15.00'), line)).toEqual({
      ...{ movements: ['dispute,line', 'fee'], asked: [] },
    });
    const booked = told('line', BOOKS, '-63', { kind: 'cost', day: 11, external_id: 'T-61001' });
    expect(outcome(dispute, fee('-15.00'), booked).movements).toEqual(['dispute,line', 'fee']);
    expect(mayConcern(dispute, line)).toBe(true);
    expect(mayConcern(fee('-15.00'), dispute)).toBe(true);
  });

  test('Another rest is no fee of it, and where the books say what it is, it is asked', () => {
    const apart = { movements: ['dispute', 'fee', 'line'], asked: [] };
    expect(outcome(dispute, fee('-14.00'), line)).toEqual(apart);
    expect(outcome(dispute, fee('-15.00', 20), line)).toEqual(apart);
    const text = 'Chargeback T-61001';
    const booked = told('line', BOOKS, '-63', { kind: 'cost', day: 11, description: text });
    expect(outcome(dispute, booked).asked).toEqual(['dispute,line: other_amount']);
    const much = told('line', BOOKS, '-97', { kind: 'cost', day: 11, description: text });
    expect(outcome(dispute, much).asked).toEqual([]);
  });
});

describe('What had been paid before', () => {
  const earned = (more: Told = {}) => ({
    ...told('earned', BOOKS, '40', {
      ...{ external_id: 'G-70001', day: 3, metadata: { basis: 'earned', account: 'income' } },
      ...more,
    }),
    sign: 0 as const,
  });
  const sold = (source = 'shop', amount = '40.00') =>
    told('sold', source, amount, { metadata: { order_id: 'G-70001' } });

  test('The sale that it names is of it, and no payment is', () => {
    expect(outcome(earned(), sold())).toEqual({ movements: ['earned,sold'], asked: [] });
    expect(mayConcern(earned(), sold())).toBe(true);
    for (const other of [sold('stripe'), sold('bank/main'), sold('shop', '-40.00')]) {
      expect(outcome(earned(), other)).toEqual({ movements: ['earned', 'sold'], asked: [] });
    }
    expect(outcome(earned({ external_id: 'G-70002' }), sold()).movements).toHaveLength(2);
    const owed = earned({ metadata: { basis: 'accrual', account: 'income' } });
    expect(outcome(owed, sold()).movements).toHaveLength(2);
  });

  test('A payment of the number comes first', () => {
    const paid = told('paid', BOOKS, '40', { external_id: 'G-70001', day: 1 });
    expect(outcome(earned(), sold(), paid)).toEqual({
      movements: ['earned', 'paid,sold'],
      asked: [],
    });
  });
});

test('A bank may write the name of a processor with what follows, and the name of no other source', () => {
  const line = (description: string) => told('line', 'bank/main', '97.25', { day: 1, description });
  const payout = (source: string) =>
    told('payout', source, '97.25', { kind: 'payout', external_id: 'po_31' });
  const paired = ['line,payout'];
  expect(outcome(payout('square'), line('SQUAREUP EUROPE')).movements).toEqual(paired);
  expect(outcome(payout('paypal/eu'), line('PAYPAL*TRANSFER')).movements).toEqual(paired);
  expect(outcome(payout('till'), line('TILLMANN GMBH')).movements).toEqual(['line', 'payout']);
});
