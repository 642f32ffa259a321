import { canonicalJson } from '@decision-ledger/proof/canonical';
import { GateError, type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json } from './support/arbitraries.js';
import { cpuMs } from './support/cpu-time.js';
import { document, firstProblem, print } from './support/json-document.js';
import { type GateVectors, readVectors } from './support/vectors.js';

const vectors = readVectors<GateVectors>('gate.json');

function refusal(text: string, maxDepth?: number): GateError | null {
  try {
    parseJson(text, maxDepth);
    return null;
  } catch (error) {
    if (error instanceof GateError) {
      return error;
    }
    throw error;
  }
}

/** The value itself, except that JSON.stringify writes negative zero as 0. */
function asWritten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(asWritten);
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, asWritten(v)]));
  }
  return value === 0 ? 0 : value;
}

describe('Gate vectors', () => {
  test.each(vectors.refused)(
    'The gate refuses the vector $name as pinned',
    ({ text, kind, path, max_depth }) => {
      const error = refusal(text, max_depth);
      expect(error).toMatchObject({ kind, path });
      expect(error?.message).toMatch(/\.$/);
      expect(path.length > 3 && error?.message.includes(path)).toBe(false);
    },
  );

  test.each(vectors.accepted)(
    'The gate accepts the vector $name',
    ({ text, canonical, max_depth }) => {
      expect(canonicalJson(parseJson(text, max_depth))).toBe(canonical);
    },
  );
});

describe('Faithfulness', () => {
  test('A representable value is read unchanged, in any layout', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, 2), (value, indent) => {
        expect(parseJson(JSON.stringify(value, null, indent))).toEqual(asWritten(value));
      }),
      { numRuns: 1000 },
    );
  });

  test('Keys that every object inherits are kept as own keys', () => {
    const value = parseJson('{"constructor":1,"toString":null,"hasOwnProperty":[]}');
    expect(Object.keys(value ?? {})).toEqual(['constructor', 'toString', 'hasOwnProperty']);
  });
});

describe('First problem', () => {
  test('The gate names the same first problem as an independent reading of the document', () => {
    fc.assert(
      fc.property(document, ({ node, layout }) => {
        const error = refusal(print(node, layout), 5);
        const expected = firstProblem(node, 5);
        expect(error?.path ?? null).toBe(expected);
        expect(error?.kind ?? null).toBe(expected === null ? null : 'unrepresentable');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('Syntax errors', () => {
  const broken = fc
    .tuple(
      json,
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom('', ',', '"', '}', '[', '0', '\\', 'e'),
    )
    .map(([value, at, cut, put]) => {
      const text = JSON.stringify(value);
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + cut);
    });

  test('The gate reports a syntax error exactly when native parsing refuses the text', () => {
    fc.assert(
      fc.property(broken, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const error = refusal(text);
        expect(error?.kind === 'syntax').toBe(!isJson);
        expect(error?.message).not.toBe('Invalid JSON.');
      }),
      { numRuns: 5000 },
    );
  });

  test('A syntax error is located by line and column', () => {
    expect(refusal('{\n  "a": 1,\n  b: 2\n}')?.message).toContain(
      'at line 3, column 3: unexpected "b"',
    );
    expect(refusal('[NaN]')?.message).toContain('line 1, column 2');
    expect(refusal('[-Infinity]')?.message).toContain('NaN and Infinity are not JSON');
    expect(refusal('{"a":')?.message).toContain('ends too early');
    expect(refusal('\ufeff{}')?.message).toContain('byte order mark');
    expect(refusal(' ')?.message).toContain('empty');
  });

  test('A syntax error does not quote the document', () => {
    expect(refusal('{"card":"4111111111111111" oops}')?.message).not.toContain('4111');
  });
});

describe('Hostile texts', () => {
  const million = 1_000_000;
  const deep: [string, string][] = [
    ['closed arrays', '['.repeat(million) + ']'.repeat(million)],
    ['open arrays', '['.repeat(million)],
    ['closed objects', `${'{"a":'.repeat(million)}1${'}'.repeat(million)}`],
    ['open objects', '{"a":'.repeat(million)],
  ];

  test.each(deep)('A million nested %s are refused as too deep', (_name, text) => {
    const error = refusal(text);
    expect(error?.kind).toBe('unrepresentable');
    expect(error?.path.length).toBeLessThan(4 * MAX_DEPTH);
  });

  test('Brackets inside strings do not count as depth', () => {
    const text = JSON.stringify({ a: '['.repeat(1000), [`"${'{'.repeat(1000)}`]: '\\"[{' });
    expect(refusal(text)).toBeNull();
  });

  test('Strings of any length that end in escapes are read correctly', () => {
    for (let length = 0; length < 80; length++) {
      for (const end of ['\\', '"', '\\"', '"\\', '\\\\"', '"[']) {
        const value: JsonValue = { a: 'x'.repeat(length) + end, b: end };
        expect(parseJson(JSON.stringify(value))).toEqual(value);
      }
    }
  });

  test('A long string with an escaped quote does not hide what follows it', () => {
    const text = `{"${'x'.repeat(30)}\\" ":"::","n":1e999}`;
    expect(JSON.parse(text).n).toBe(Number.POSITIVE_INFINITY);
    expect(refusal(text)).toMatchObject({ kind: 'unrepresentable', path: 'n' });
  });

  test('The key __proto__ is refused, whichever of its characters are escaped', () => {
    const spellings = [...'__proto__'].map((char) => {
      const hex = char.charCodeAt(0).toString(16).padStart(4, '0');
      return [char, `\\u${hex}`, `\\u${hex.toUpperCase()}`];
    });
    fc.assert(
      fc.property(fc.tuple(...spellings.map((s) => fc.constantFrom(...s))), (chars) => {
        const error = refusal(`{"a":{"${chars.join('')}":1}}`);
        expect(error).toMatchObject({ kind: 'unrepresentable', path: 'a.__proto__' });
      }),
      { numRuns: 500 },
    );
    for (const [index, spelling] of spellings.entries()) {
      const key = `${'__proto__'.slice(0, index)}${spelling[1]}${'__proto__'.slice(index + 1)}`;
      expect(refusal(`[{"${key}":1}]`)).toMatchObject({ path: '[0].__proto__' });
    }
  });

  test('Raw lone surrogates are refused', () => {
    expect(refusal('{"a":"\ud800"}')).toMatchObject({ kind: 'unrepresentable', path: 'a' });
    expect(refusal('{"\udc00":1}')).toMatchObject({ path: '["\\udc00"]' });
  });

  test.each([
    ['a number of many digits', `0.${'1'.repeat(million)}`],
    ['a number of many zeros', `0.${'0'.repeat(million)}1`],
    ['many backslashes', `"${'\\\\'.repeat(million)}\\u0000"`],
    ['many quotes', `"${'\\"'.repeat(million)}\\u0000"`],
    ['many keys', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`)},"k5":0}`],
  ])('The gate refuses %s in linear time', async (_name, text) => {
    let kind: string | undefined;
    const spent = await cpuMs(() => {
      kind = refusal(text)?.kind;
    });
    expect(kind).toBe('unrepresentable');
    expect(spent).toBeLessThan(5000);
  });
});

describe('Keys that are one escape', () => {
  // V8 in Node.js 24 reads some of these as a backslash.
  const escapes = ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0041', '\\u00e9'];
  const before = ['', '"":1,', '"x":1,', '"list":[{"a":{}},[],"\\"b\\\\"],'];

  test.each(escapes)('The key %s is unescaped correctly at any position', (escaped) => {
    const key: unknown = JSON.parse(`"${escaped}"`);
    for (const start of before) {
      const value = parseJson(`{${start}"${escaped}":2,"z":{"q":[-2.5e3,true,null]}}`);
      expect(Object.entries(value ?? {})).toContainEqual([key, 2]);
      expect(value).toMatchObject({ z: { q: [-2500, true, null] } });
    }
  });
});

describe('Value limit', () => {
  const limits = { values: 5, members: 3 };
  const told = (text: string): string => {
    try {
      parseJson(text, MAX_DEPTH, limits);
      return 'taken';
    } catch (error) {
      return error instanceof GateError ? error.kind : 'another error';
    }
  };

  test.each([
    ['taken', '[1,2,3,4]'],
    ['oversized', '[1,2,3,4,5]'],
    ['taken', '[[],{},[ ],"a,b,c,d,e,f"]'],
    ['oversized', '[[],{},[\n],{ },[]]'],
    ['taken', '[[[[1]]]]'],
    ['oversized', '[[[[[1]]]]]'],
    ['taken', '{"a":1,"b":2,"c":"a:b:c:d:e"}'],
    ['oversized', '{"a":1,"b":2,"c":3,"d":4}'],
    ['oversized', '[{"a":1,"b":2},{"c":1,"d":2}]'],
    ['oversized', '{"a":1,"a":2,"a":3,"a":12345678901234567890}'],
    ['oversized', ',,,,,,,,,,'],
    ['syntax', '[1,2,3,4'],
    ['unrepresentable', '{"a":1,"a":2}'],
  ])('The value limit gives "%s" for %s', (kind, text) => {
    expect(told(text)).toBe(kind);
  });

  test('The value limit counts every value of a document, in any layout', () => {
    const countOf = (value: JsonValue): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, child) => sum + countOf(child), 1)
        : 1;
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const values = countOf(value);
        const room = { values, members: Number.POSITIVE_INFINITY };
        expect(parseJson(text, MAX_DEPTH, room)).toEqual(asWritten(value));
        expect(() => parseJson(text, MAX_DEPTH, { ...room, values: values - 1 })).toThrow(
          `more than ${values - 1} values`,
        );
      }),
      { numRuns: 500 },
    );
  });
});

test('A text as long as a body may stand beside a key that is one escape', () => {
  for (const part of ['x', '\\n', '\\"', '\\\\']) {
    const text = `{"\\t":"${part.repeat(4_000_000)}"}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  }
});
