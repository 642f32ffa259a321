import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json } from './support/arbitraries.js';
import { canonicalize, pretend } from './support/oracle.js';
import { type CanonicalVectors, readVectors } from './support/vectors.js';

const vectors = readVectors<CanonicalVectors>('canonical-json.json');

function nested(depth: number): JsonValue {
  let value: JsonValue = { b: 1, a: [] };
  for (let i = 0; i < depth; i++) {
    value = i % 2 === 0 ? [value] : { k: value };
  }
  return value;
}

describe('Canonical JSON vectors', () => {
  test.each(vectors.values)(
    'The canonical JSON of the vector $name has the pinned bytes',
    ({ text, canonical, utf8 }) => {
      const written = canonicalJson(JSON.parse(text));
      expect(written).toBe(canonical);
      expect(Buffer.from(written, 'utf8').toString('hex')).toBe(utf8);
    },
  );

  test.each(vectors.numbers)('The number $ieee754 is written as $text', ({ ieee754, text }) => {
    expect(canonicalJson(Buffer.from(ieee754, 'hex').readDoubleBE())).toBe(text);
  });

  test.each(vectors.refused_numbers)('The number %s is refused', (ieee754) => {
    const value = Buffer.from(ieee754, 'hex').readDoubleBE();
    expect(() => canonicalJson([value])).toThrow(TypeError);
  });
});

describe('Canonical JSON of any value', () => {
  test('Canonical JSON equals the output of an independent implementation', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('Canonical JSON reads back as the value and is its own canonical form', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = canonicalJson(value);
        const back = parseJson(written);
        expect(canonicalJson(back)).toBe(written);
        expect(JSON.stringify(back).length).toBe(written.length);
      }),
    );
  });

  test('Canonical JSON does not depend on the order of members', () => {
    const forwards = { a: 1, b: { x: 1, y: 2 }, '10': 3, '9': 4 };
    const backwards = { '9': 4, '10': 3, b: { y: 2, x: 1 }, a: 1 };
    expect(canonicalJson(forwards)).toBe('{"10":3,"9":4,"a":1,"b":{"x":1,"y":2}}');
    expect(canonicalJson(backwards)).toBe(canonicalJson(forwards));
  });

  test('Canonical JSON accepts an own key __proto__ and objects without a prototype', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe(
      '{"__proto__":{"a":1},"b":1}',
    );
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });

  test.each([150, 199, 200, 201, 300, 200_000])(
    'Canonical JSON is written at depth %i',
    (depth) => {
      const written = canonicalJson(nested(depth));
      expect(written).toContain('{"a":[],"b":1}');
      expect(written.length).toBe(14 + (depth / 2) * 2 + Math.floor(depth / 2) * 6 + (depth % 2));
    },
  );
});

describe('Values that JSON cannot express', () => {
  const cycle: Record<string, unknown> = { b: 1 };
  cycle.a = [cycle];
  const values: [string, unknown][] = [
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a big integer', 1n],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a boxed string', Object('text')],
    ['an object with a method toJSON', { toJSON: () => 1 }],
    ['a class instance', new (class Point {})()],
    ['a buffer', Buffer.from('a')],
    ['a lone high surrogate', '\ud800'],
    ['a lone low surrogate', 'a\udc00b'],
    ['a lone surrogate after an escaped backslash', '\\\ud800'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is refused.
    ['a hole in an array', [1, , 2]],
    ['a cycle', cycle],
  ];

  test.each(values)('Canonical JSON refuses %s', (_name, value) => {
    const untyped = (content: unknown) => canonicalJson(pretend(content));
    expect(() => untyped(value)).toThrow(TypeError);
    expect(() => untyped([value])).toThrow(TypeError);
    expect(() => untyped({ b: 1, a: value })).toThrow(TypeError);
    expect(() => untyped({ a: 1, b: value })).toThrow(TypeError);
  });

  test('Canonical JSON refuses a lone surrogate in a key', () => {
    expect(() => canonicalJson({ '\ud800': 1 })).toThrow(TypeError);
    expect(() => canonicalJson({ b: 1, '\udfff': 1, a: 1 })).toThrow(TypeError);
  });
});
