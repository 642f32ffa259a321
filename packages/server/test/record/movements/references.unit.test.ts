import { describe, expect, test } from 'vitest';
import { BOOKS, outcome, type Told, told } from './support/told.js';

const named = (description: string): Told => ({ description, day: 8 });

describe('The sign of a number', () => {
  const order = told('order', 'shop', '55.00', { external_id: '100923' });

  test.each([
    'Заказ №100923',
    'Заказ№100923',
    'Commande n°100923',
    'Commande N° 100923, livraison',
    'Pedido nº100923',
    'Fattura (n°100923)',
  ])('It is a part of no number: %s', (text) => {
    const paid = told('paid', 'billing', '55.00', named(text));
    expect(outcome(paid, order)).toEqual({ movements: ['order,paid'], asked: [] });
  });

  test.each(['Заказ №1009231', 'Заказ №200923', 'Commande n°00923', '36.6°100923', 'kn°100923'])(
    'Another number is another order: %s',
    (text) => {
      const paid = told('paid', 'billing', '55.00', named(text));
      expect(outcome(paid, order).movements).toEqual(['order', 'paid']);
    },
  );

  test('It makes no letters of a number: an invoice beside an order that both name is no other order', () => {
    const paid = told('paid', 'billing', '55.00', { description: 'A-100923, n° 200111' });
    const other = told('order', 'shop', '55.00', { description: 'Cde n° 300222 A-100923' });
    expect(outcome(paid, other).movements).toEqual(['order,paid']);
    expect([...paid.references]).toEqual(['a100923', '200111']);
  });

  test('In a member it is left out as well', () => {
    const paid = told('paid', 'billing', '55.00', { metadata: { order_id: '№ 100923' }, day: 8 });
    expect(outcome(paid, order).movements).toEqual(['order,paid']);
  });
});

describe('An order that is an object', () => {
  const order = told('order', 'shop', '70.00', { external_id: 'A-100013' });
  const stated = (metadata: Told['metadata']) =>
    told('stated', 'agent', '70.00', { external_id: 'r-1', day: 8, ...(metadata && { metadata }) });

  test.each<[string, object]>([
    ['order', { id: 'A-100013' }],
    ['order', { number: 'a 100013', total: '70.00' }],
    ['invoice', { invoice_number: 'A100013' }],
    ['merchant_order', { reference: 'A-100013', customer: { id: 'C-2001' } }],
  ])('Its number names it: %s %o', (member, value) => {
    expect(outcome(stated({ [member]: value }), order)).toEqual({
      ...{ movements: ['order,stated'], asked: [] },
    });
  });

  test.each<[string, object]>([
    ['order', { customer: 'A-100013' }],
    ['order', { customer_id: 'A-100013', table: 'A-100013' }],
    ['order', { lines: [{ id: 'A-100013' }] }],
    ['customer', { id: 'A-100013' }],
    ['basket', { id: 'A-100013' }],
    ['purchase_order', { id: 'A-100013' }],
    ['order', { id: 'A-100014' }],
  ])('Nothing else of it does: %s %o', (member, value) => {
    expect(outcome(stated({ [member]: value }), order).movements).toEqual(['order', 'stated']);
  });

  test('It tells two orders apart, however short their numbers are', () => {
    const two = ['17', '18'].map((id) =>
      told(id, `source${id}`, '40.00', { metadata: { order: { id }, batch: 'K-20250601' } }),
    );
    const [one, other] = two;
    expect(one?.orders).toEqual(new Set(['17']));
    expect(one === undefined || other === undefined || outcome(one, other).movements).toEqual([
      ...['17', '18'],
    ]);
  });
});

describe('Numbers of several orders in one reference', () => {
  const first = told('first', 'shop', '30.00', { external_id: '41070' });
  const second = told('second', 'shop', '45.00', { external_id: '41071' });
  const whole = { movements: ['first,payment,second'], asked: [] };
  const paid = (more: Told) => told('payment', 'stripe', '75.00', { day: 3, ...more });

  test.each([
    '41070 41071',
    '41070, 41071',
    '41070/71',
    '41070/41071',
    '41070+41071',
    '41070;41071',
  ])('They are one each, in a member, a description and a code: %s', (text) => {
    expect(outcome(paid({ metadata: { reference: text } }), first, second)).toEqual(whole);
    expect(outcome(paid({ description: `Invoices ${text}` }), first, second)).toEqual(whole);
    const booked = told('payment', BOOKS, '75', { day: 3, external_id: text });
    expect(outcome(booked, first, second).movements).toEqual(['first,payment', 'second']);
  });

  test.each(['41070/1', '41070/70', '41070/69', '2025/41070', '41070/41071/x', '41070-71'])(
    'Another text is no list: %s',
    (text) => {
      expect(outcome(paid({ metadata: { reference: text } }), first, second).movements).toContain(
        'second',
      );
    },
  );

  test('Shortened numbers keep what stands before them', () => {
    const { orders } = told('x', 'shop', '1.00', { metadata: { invoice: 'RE-41098/99/98' } });
    expect(orders.has('re41099')).toBe(false);
    const listed = told('x', 'shop', '1.00', { metadata: { invoice: 'RE-41097/98/99' } });
    expect([...listed.orders].sort()).toEqual(['re41097', 're410979899', 're41098', 're41099']);
  });
});

describe('An id of a processor', () => {
  const shop = (reference: string) => told('sale', 'shop', '64.00', { external_id: reference });
  const order = told('order', 'crm', '64.00', { day: 1, metadata: { order_id: 'B-2210' } });
  const repeated = { ...order, repeats: ['shop'] };

  test.each([
    'pi_3QzF41AbCdEf99',
    'ch_1NaBcD0000000000',
    'pay_EKwxwAgItmmXdp9',
    '5AB12345CD678901E',
  ])('It is no number of an order: %s', (id) => {
    expect(shop(id).orders.size).toBe(0);
    expect(outcome(shop(id), repeated).movements).toEqual(['order,sale']);
    const member = told('sale', 'shop', '64.00', { metadata: { order_id: id } });
    expect(member.names.size).toBe(1);
    expect(outcome(member, repeated).movements).toEqual(['order,sale']);
  });

  test.each(['ord_01HZX3F8Q2ABCDEF', 'ORDER202506010001', 'pi_31', 'A-5512'])(
    'Another one is: %s',
    (id) => {
      expect(shop(id).orders.size).toBe(1);
      expect(outcome(shop(id), repeated).movements).toEqual(['order', 'sale']);
    },
  );
});
