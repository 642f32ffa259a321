import { describe, expect, test } from 'vitest';
import { mayConcern } from '#server/domains/record/movements/rules/concern';
import { BOOKS, outcome, type Told, told } from './support/told.js';

describe('A bill and its payment that one system states', () => {
  const bill = (more: Told = {}) =>
    told('bill', 'erp', '119.00', { external_id: 'RE-2041', ...more });
  const payment = (more: Told = {}, amount = '119.00', source = 'erp') =>
    told('payment', source, amount, {
      ...{ external_id: 'Z-1', day: 14, metadata: { pays: 're 2041' } },
      ...more,
    });
  const asked = { movements: ['bill', 'payment'], asked: ['bill,payment: one_source'] };
  const apart = { ...asked, asked: [] };

  test('They are asked about and not paired, whichever names the other', () => {
    expect(outcome(bill(), payment())).toEqual(asked);
    expect(mayConcern(bill(), payment())).toBe(true);
    const named = bill({ metadata: { paid_by: 'PMT-77' } });
    const naming = payment({ external_id: 'pmt 77', metadata: {} });
    expect(outcome(named, naming)).toEqual(asked);
    const bought = told('bill', 'wawi', '-80', { kind: 'cost', external_id: 'ER-40117' });
    const paid = told('payment', 'wawi', '-80.00', {
      ...{ kind: 'cost', external_id: 'Z-9', day: 44, description: 'Zahlung ER-40117' },
    });
    expect(outcome(bought, paid)).toEqual(asked);
    expect(outcome(bought, { ...paid, kind: 'sale' })).toEqual(asked);
    expect(outcome({ ...bought, kind: 'refund' }, { ...paid, kind: 'sale' })).toEqual(asked);
  });

  test('A line of the bank is of the payment of its day, and the bill is still asked about', () => {
    const line = told('line', 'bank/main', '119.00', { day: 14, description: 'RE-2041 Danke' });
    expect(outcome(bill(), payment(), line)).toEqual({
      movements: ['bill', 'line,payment'],
      asked: ['bill,payment: one_source'],
    });
  });

  test('What has another amount, direction, kind, source or time is not of it', () => {
    expect(outcome(bill(), payment({}, '118.00'))).toEqual(apart);
    expect(outcome(bill(), payment({}, '-119.00'))).toEqual(apart);
    expect(outcome(bill(), payment({ kind: 'fee' }))).toEqual(apart);
    expect(outcome(bill(), payment({ kind: 'payout' }))).toEqual(apart);
    expect(outcome(bill(), payment({ day: 46 }))).toEqual(apart);
    const paid = { ...payment(), currency: 'CHF', sums: new Set(['119 CHF']) };
    expect(outcome(bill(), paid)).toEqual(apart);
  });

  test('Two sales under one number, of one customer or of one contract name no bill', () => {
    const second = (metadata: object) => payment({ metadata: { ...metadata } });
    for (const metadata of [{ customer_id: 'RE-2041' }, { contract: 'RE-2041' }, {}]) {
      expect(outcome(bill(), second(metadata))).toEqual(apart);
    }
    const order = { metadata: { order_id: 'A-5001' } };
    expect(outcome(bill(order), payment(order))).toEqual(apart);
  });

  test('Processors, banks and books say by their own words what is of what', () => {
    for (const source of ['stripe', 'mollie/eu', 'bank/main', BOOKS]) {
      expect(outcome({ ...bill(), source }, payment({}, '119.00', source)).asked).toEqual([]);
    }
  });
});
