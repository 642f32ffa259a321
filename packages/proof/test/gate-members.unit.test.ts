import { GateError, type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { parseElements } from '@decision-ledger/proof/gate-members';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from './support/cpu-time.js';
import { document, print } from './support/json-document.js';

const LIMITS = { values: 1_000_000, members: 1_000_000 };
const ARRAY = { name: 'items', most: 100, maxDepth: MAX_DEPTH };
const pause = () => Promise.resolve();

const parse = (text: string) => parseElements(text, ARRAY, LIMITS, pause);

function refusal(text: string, maxDepth: number): GateError | null {
  try {
    parseJson(text, maxDepth);
    return null;
  } catch (error) {
    if (error instanceof GateError) return error;
    throw error;
  }
}

async function thrown(text: string): Promise<unknown> {
  return parse(text).catch((error: unknown) => error);
}

describe('Elements that are parsed alone', () => {
  test('Each is what its text is alone, and an error is what it is in an array of which only it is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          document.map(({ node, layout }) => print(node, layout)),
          { maxLength: 5 },
        ),
        fc.constantFrom('', ' ', '\n\t'),
        async (texts, space) => {
          const items = texts.map((text) => space + text + space).join(',');
          const { value, elements, refused } = await parse(`{"a":[1],"items":[${items}],"b":"]"}`);
          const expected = texts.map((text, at): JsonValue | GateError => {
            const others = texts.map((_, other) => (other === at ? text : '0')).join(',');
            const whole = refusal(`{"items":[${others}]}`, MAX_DEPTH + 2);
            return whole ?? parseJson(text);
          });
          expect(value).toEqual({ a: [1], items: elements, b: ']' });
          for (const [at, one] of expected.entries()) {
            if (!(one instanceof GateError)) {
              expect([elements[at], refused.has(at)]).toEqual([one, false]);
              continue;
            }
            const found = refused.get(at);
            expect(found?.error).toMatchObject({ path: one.path, message: one.message });
            expect([found?.text.trim(), elements[at]]).toEqual([texts[at], null]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['{"items":[]}', []],
    ['{"items":[ \n ]}', []],
    ['{"\\u0069tems":[1,"]",{"items":[2]}]}', [1, ']', { items: [2] }]],
    ['{"x":{"items":[9]},"items":[[],{}]}', [[], {}]],
  ] as const)('The elements of %s are found', async (text, elements) => {
    expect((await parse(text)).elements).toEqual(elements);
  });

  test.each([
    ['{"items":[1],"items":[2]}', 'items'],
    ['{"items":[1],"other":1e999}', 'other'],
    ['{"items":[1],"__proto__":1}', '__proto__'],
    ['{"other":[1]}', 'items'],
    ['["items",[1]]', 'items'],
    ['{"items":{"a":[1]}}', 'items'],
    ['"items"', 'items'],
  ])('What is wrong outside of the elements of %s refuses the whole text', async (text, path) => {
    expect(await thrown(text)).toMatchObject({ kind: 'unrepresentable', path });
  });

  test('A text that is not JSON is refused as a whole', async () => {
    for (const text of ['{"items":[1,]}', '{"items":[1', '{"items":[1}]', '', '{"items":[1]} x']) {
      expect(await thrown(text)).toMatchObject({ kind: 'syntax', path: '' });
    }
  });

  test('More elements than allowed are not parsed', async () => {
    const { elements, refused } = await parse(`{"items":[${'1e999,'.repeat(100)}1]}`);
    expect(elements).toEqual(Array.from({ length: 101 }, () => null));
    expect(refused.size).toBe(0);
  });

  test('Hostile texts of 8 MiB take time in proportion to their length', async () => {
    const size = 4 * 1024 * 1024;
    const deep = `{"items":[${'['.repeat(size)}${']'.repeat(size)}]}`;
    const names = `{${'"items":[1],'.repeat(size / 12)}"items":[1e999]}`;
    const wide = `{"items":[{${'"a":1,'.repeat(size / 6)}"b":1e999}]}`;
    for (const text of [deep, names, wide]) {
      expect(await cpuMs(() => thrown(text).then(() => undefined))).toBeLessThan(10_000);
    }
  });
});
