import { LIMITS } from '@decision-ledger/contract/limits';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { expect, it } from 'vitest';
import { readJson } from '#server/domains/sources/otlp/rules/read-json';

/** A list of a million equal elements that counts how many are read. */
function counted(element: JsonValue) {
  const length = 1_000_000;
  const counts = { reads: 0 };
  const list = new Proxy(new Array<JsonValue>(length), {
    get: (target, name) => {
      if (typeof name !== 'string' || !/^[0-9]+$/.test(name)) return Reflect.get(target, name);
      counts.reads += 1;
      return element;
    },
  });
  return { list, counts };
}

it.for([
  ['resources', (list: JsonValue[]): JsonValue => ({ resourceSpans: list }), LIMITS.otlpValues],
  [
    'scopes',
    (list: JsonValue[]): JsonValue => ({ resourceSpans: [{ scopeSpans: list }] }),
    LIMITS.otlpValues,
  ],
] as const)('A million empty %s are refused before the rest is read', ([, wrap, limit]) => {
  const { list, counts } = counted({});
  expect(() => [...readJson(wrap(list))]).toThrow(/more than 200000 attributes/);
  expect(counts.reads).toBeLessThanOrEqual(limit + 1);
});

it.for(['events', 'attributes'] as const)(
  'A span with a million empty %s is refused before the rest is read',
  (name) => {
    const { list, counts } = counted({});
    const span: JsonValue = { [name]: list };
    const request: JsonValue = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    expect([...readJson(request)]).toEqual([
      { problem: expect.stringMatching(/more than 20000 attributes/) },
    ]);
    expect(counts.reads).toBeLessThanOrEqual(LIMITS.otlpSpanValues + 1);
  },
);
