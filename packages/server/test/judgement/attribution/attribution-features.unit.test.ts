import type { JsonValue } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extractFeatures,
  saysItFailed,
} from '#server/domains/judgement/attribution/rules/v1/features';
import {
  isIdentifier,
  namesAnAmount,
  normaliseAmount,
  normaliseKey,
  normaliseValue,
} from '#server/domains/judgement/attribution/rules/v1/normalise';

describe('Normalisation', () => {
  it.for([
    ['customerId', 'customerid'],
    ['customer_id', 'customerid'],
    ['Customer-ID', 'customerid'],
    ['customer.id ', 'customerid'],
    ['Größe', 'größe'],
    ['__', ''],
  ])('The key %j is normalised to %j', ([key = '', expected]) => {
    expect(normaliseKey(key)).toBe(expected);
  });

  it.for<[JsonValue, string | null]>([
    [' ORD-7F ', 'ord-7f'],
    [42, '42'],
    [true, 'true'],
    ['', null],
    ['   ', null],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), null],
    [null, null],
    [['a'], null],
    [{ a: 1 }, null],
  ])('The value %j is normalised to %j', ([value, expected]) => {
    expect(normaliseValue(value)).toBe(expected);
  });

  it.for<[JsonValue, string | null]>([
    [1250, '1250'],
    ['1250.00', '1250'],
    [-1250, '1250'],
    ['-0.10', '0.1'],
    [0.1, '0.1'],
    ['12345678901234567890.123456789012', '12345678901234567890.123456789012'],
    [0, null],
    ['0.00', null],
    ['1,250', null],
    ['1e3', null],
    [1e300, null],
    [1e-300, null],
    [Number.POSITIVE_INFINITY, null],
    ['9'.repeat(21), null],
    [true, null],
    [null, null],
  ])('The amount %j is normalised to %j', ([value, expected]) => {
    expect(normaliseAmount(value)).toBe(expected);
  });

  it.for<[string, string, boolean]>([
    ['orderid', 'ord-7f', true],
    ['reservation', 'hathat', true],
    ['externalid', 'pay_1', true],
    ['subject', 'ord-7fa', true],
    ['subject', 'hello', false],
    ['note', 'order 7 of 9', false],
    ['orderid', '7f', false],
    ['orderid', '2026-01-31', false],
    ['orderid', '10:45', false],
    ['ref', 'true', false],
    ['weight', '1250.75', false],
  ])('The key %s with the value %j is an identifier: %j', ([key, value, expected]) => {
    expect(isIdentifier(key, value)).toBe(expected);
  });

  it.for<[string, boolean]>([
    ['amount', true],
    ['totalprice', true],
    ['refundid', false],
    ['checksum', true],
    ['summary', false],
    ['chargeref', false],
  ])('The key %s names an amount: %j', ([key, expected]) => {
    expect(namesAnAmount(key)).toBe(expected);
  });
});

describe('Features', () => {
  it('Features are found at any place in the payload', () => {
    const features = extractFeatures({
      metadata: { env: 'prod', Order_ID: 'ORD-7F', nested: { customerId: 'c-12345' } },
      inputs: { order: 'ord-7f', lines: [{ price: '19.90' }, { price: 5 }] },
      outputs: { refund: { amount: '-24.90', id: 're_99' } },
      external_id: 'Pay_1',
    });
    expect(Object.fromEntries(features.pairs)).toEqual({
      env: 'env=prod',
      orderid: 'orderid=ord-7f',
      customerid: 'customerid=c-12345',
    });
    expect([...features.ids].map(([value, keys]) => [value, [...keys]])).toEqual([
      ['pay_1', ['externalid']],
      ['ord-7f', ['orderid', 'order']],
      ['c-12345', ['customerid']],
      ['re_99', ['id']],
    ]);
    expect([...features.amounts]).toEqual(['24.9', '19.9', '5']);
  });

  it('Features are bounded in number and length for arbitrary payloads', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 12 }),
        fc.jsonValue({ maxDepth: 12 }),
        (metadata, outputs) => {
          expectBounded(extractFeatures({ metadata: clean(metadata), outputs: clean(outputs) }));
        },
      ),
    );
  });

  it.for<[string, () => JsonValue]>([
    ['very wide', () => wide(100_000)],
    ['a long list of objects', () => Array.from({ length: 50_000 }, (_, i) => ({ id: `x${i}y` }))],
    ['very deep', () => deep(5_000)],
    ['huge keys', () => ({ [`${'k'.repeat(1_000_000)}id`]: 'abc123', amount: 7 })],
    ['huge strings', () => ({ id: 'x1'.repeat(2_000_000), amount: '9'.repeat(2_000_000) })],
    ['many empty lists', () => Array.from({ length: 100_000 }, () => [])],
    ['extreme numbers', () => ({ amount: [1e308, 5e-324, -1e21, Number.MAX_SAFE_INTEGER] })],
    ['an own member __proto__', () => JSON.parse('{"__proto__": {"order_id": "o-12345"}}')],
  ])('Features are bounded for a payload of this kind: %s', ([, make]) => {
    const value = make();
    expectBounded(extractFeatures({ metadata: value, inputs: value, outputs: value }));
  });

  it('Values deeper than eight levels are ignored', () => {
    const at = (levels: number) =>
      Array.from({ length: levels }).reduce<JsonValue>((inner) => ({ a: inner }), {
        order_id: 'ord-7',
      });
    expect(extractFeatures({ inputs: at(7) }).ids.size).toBe(1);
    expect(extractFeatures({ inputs: at(8) }).ids.size).toBe(0);
  });

  it('Metadata and outputs are read before inputs, so that long inputs displace neither', () => {
    const features = extractFeatures({
      inputs: wide(1000),
      metadata: { order_id: 'ord-7' },
      outputs: { amount: 5 },
    });
    expect(features.ids.has('ord-7')).toBe(true);
    expect(features.amounts.has('5')).toBe(true);
  });

  it('Each value of a payload is read at most once', () => {
    for (const size of [100, 1000, 10_000]) {
      const { list, reads } = counted(size);
      extractFeatures({ inputs: list });
      expect(reads()).toBeLessThanOrEqual(size);
    }
  });

  it('Features do not depend on the spelling of keys', () => {
    fc.assert(
      fc.property(fc.constantFrom('orderId', 'order_id', 'ORDER-ID', 'Order Id'), (key) => {
        const features = extractFeatures({ metadata: { [key]: 'ORD-7F' } });
        expect(features).toEqual(extractFeatures({ metadata: { order_id: 'ord-7f' } }));
      }),
    );
  });
});

describe('Failed decisions', () => {
  it.for<[JsonValue | undefined, boolean]>([
    [{ failed: true }, true],
    [{ is_error: true }, true],
    [{ success: false }, true],
    [{ ok: false }, true],
    [{ error: 'card declined' }, true],
    [{ status: ' Declined ' }, true],
    [{ error: null, status: 'done' }, false],
    [{ error: '' }, false],
    [{ failed: false, success: true }, false],
    [{ status: 'failed over to another region' }, false],
    ['failed', false],
    [[{ failed: true }], false],
    [undefined, false],
  ])('A decision with outputs %j reports a failure: %j', ([outputs, expected]) => {
    expect(saysItFailed(outputs)).toBe(expected);
  });
});

function expectBounded({ pairs, ids, amounts }: ReturnType<typeof extractFeatures>): void {
  expect(pairs.size).toBeLessThanOrEqual(32);
  expect(ids.size).toBeLessThanOrEqual(48);
  expect(amounts.size).toBeLessThanOrEqual(24);
  const keys = [...ids.values()].flatMap((set) => [...set]);
  const texts = [...pairs.keys(), ...pairs.values(), ...ids.keys(), ...keys, ...amounts];
  expect(Math.max(0, ...texts.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(keys.length).toBeLessThanOrEqual(3 * 400 + 1);
}

/** Converts a value of fast-check to plain JSON. */
function clean(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

function wide(size: number): JsonValue {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => [`id_${i}_id`, `v${i}-value`]));
}

function deep(levels: number): JsonValue {
  let value: JsonValue = 'ord-12345';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { id: value };
  return value;
}

/** A list that counts how often its items are read. */
function counted(size: number): { list: JsonValue; reads: () => number } {
  let count = 0;
  const items = Array.from({ length: size }, (_, i) => `item-${i}`);
  const list = new Proxy(items, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) count += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { list, reads: () => count };
}
