import { LIMITS } from '@decision-ledger/contract/limits';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import type { Span } from '#server/domains/sources/otlp/rules/span';
import {
  type Arrival,
  endOf,
  type KeptGroup,
  SpanGroups,
  sinceOf,
} from '#server/domains/sources/otlp/rules/span-groups';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 3, 16, 9, 30);

const arrival = (changes: Partial<Arrival> = {}): Arrival => ({
  ...{ signal: 'traces', scope: 'shop', scope_version: '1.0', taken_by: null },
  ...{ result: 'ignored', reason: 'no_rule', ...changes },
});

function spanWith(
  attributes: Readonly<Record<string, JsonValue>>,
  around: Partial<Span> = {},
): Span {
  return {
    ...{ traceId: '', spanId: '', name: 'n', start: 0n, hasFailed: false, statusMessage: '' },
    ...{ attributes: new Map(Object.entries(attributes)), events: [], resource: new Map() },
    ...{ scope: 'shop', scopeVersion: '1.0', ...around },
  };
}

function grouped(...spans: readonly (readonly [Arrival, Span])[]): KeptGroup[] {
  const groups = new SpanGroups();
  for (const [as, span] of spans) groups.addSpan(as, span, NOW);
  return groups.kept();
}

const countsOf = (groups: readonly KeptGroup[]) =>
  groups.map(({ scope, hours }) => [scope, hours.reduce((sum, [, count]) => sum + count, 0)]);

describe('Groups of spans', () => {
  it('They tell apart each thing that an arrival says, and count the same together', () => {
    const others: Partial<Arrival>[] = [
      { scope: 'other' },
      { scope_version: '1.1' },
      { taken_by: 'gen_ai_1.45', reason: 'no_content' },
      { taken_by: 'rules[0]', reason: 'no_content' },
      { result: 'recorded', reason: null },
      { result: 'refused', reason: 'confidence' },
    ];
    const all = [arrival(), arrival(), ...others.map(arrival), ...others.map(arrival)];
    const groups = grouped(...all.map((one) => [one, spanWith({})] as const));
    expect(groups).toHaveLength(others.length + 1);
    expect(new Set(countsOf(groups).map(([, count]) => count))).toEqual(new Set([2]));
  });

  it('They keep names with types, and no value', () => {
    const [group] = grouped(
      [
        arrival(),
        spanWith(
          { text: 'secret-1', json: '{"secret-2":1}', list: ['secret-3'], none: null },
          {
            events: [{ name: 'said', attributes: new Map([['by', 'secret-4']]) }],
            resource: new Map([['service.name', 'secret-5']]),
          },
        ),
      ],
      [arrival(), spanWith({ text: 7, flag: true, map: { secret: 6 } })],
    );
    expect(group?.attributes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['event:said:by text', 'flag boolean', 'json json', 'list list', 'map object'],
      ...['none null', 'resource:service.name text', 'text text', 'text number'],
    ]);
    expect(JSON.stringify(group)).not.toContain('secret');
  });

  it('They keep the first names in their order, whatever the order of arrival', () => {
    const names = Array.from({ length: 2000 }, (_, at) => `a${String(at).padStart(4, '0')}`);
    const first = names.slice(0, LIMITS.spanGroupAttributes);
    for (const order of [names, names.toReversed()]) {
      const spans = order.map((name) => [arrival(), spanWith({ [name]: 1 })] as const);
      expect(grouped(...spans)[0]?.attributes.map(({ name }) => name)).toEqual(first);
    }
  });

  it('They take hostile names as data, cut and without what cannot be stored', () => {
    const hostile = ['__proto__', 'constructor', 'a\0b', '\ud800', '<script>', 'x'.repeat(1e5)];
    const [group] = grouped([arrival(), spanWith(Object.fromEntries(hostile.map((n) => [n, 1])))]);
    const names = group?.attributes.map(({ name }) => name) ?? [];
    expect(names).toHaveLength(hostile.length);
    expect(names).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', 'a\ufffdb', '<script>']),
    );
    expect(Math.max(...names.map(({ length }) => length))).toBe(100);
  });

  it('They cut long scopes, which then count together', () => {
    const scopes = ['s'.repeat(100), 's'.repeat(101), `${'s'.repeat(100)}\0`];
    const groups = grouped(...scopes.map((scope) => [arrival({ scope }), spanWith({})] as const));
    expect(countsOf(groups)).toEqual([['s'.repeat(100), 3]]);
  });

  it('They are bounded: what has no place is counted by result and reason', () => {
    const many = Array.from({ length: LIMITS.spanGroups + 10 }, (_, at) => `s${at}`);
    const spans = many.map((scope) => [arrival({ scope }), spanWith({ a: 1 })] as const);
    const groups = grouped(...spans, [
      arrival({ scope: 'late', result: 'recorded', reason: null }),
      spanWith({ a: 1 }),
    ]);
    const rest = groups.filter(({ scope }) => scope === null);
    expect(groups).toHaveLength(LIMITS.spanGroups + 2);
    expect(countsOf(rest)).toEqual([
      [null, 10],
      [null, 1],
    ]);
    expect(rest.map(({ result, attributes }) => [result, attributes])).toEqual([
      ['ignored', []],
      ['recorded', []],
    ]);
  });

  it('They count a span that is refused later as refused alone', () => {
    const groups = new SpanGroups();
    const recorded = arrival({ result: 'recorded', reason: null });
    const as = groups.addSpan(recorded, spanWith({ a: 1 }), NOW);
    groups.move(as, { ...as, result: 'refused', reason: 'recorded_before' }, NOW);
    expect(groups.kept()).toEqual([
      {
        ...recorded,
        ...{ result: 'refused', reason: 'recorded_before', first_at: NOW, last_at: NOW },
        hours: [[Date.UTC(2026, 3, 16, 9), 1]],
        attributes: [{ name: 'a', type: 'number' }],
      },
    ]);
  });

  it('They add up when they are merged, in either order', () => {
    const at = (time: number, name: string) => {
      const groups = new SpanGroups();
      groups.addSpan(arrival(), spanWith({ [name]: 1 }), time);
      return groups.kept();
    };
    const [early, late] = [at(NOW - 2 * HOUR, 'a'), at(NOW, 'b')];
    for (const parts of [
      [early, late],
      [late, early],
    ]) {
      const all = new SpanGroups();
      for (const part of parts) all.merge(part, NOW);
      const [group] = all.kept();
      expect(group).toMatchObject({ first_at: NOW - 2 * HOUR, last_at: NOW });
      expect(new Map(group?.hours)).toEqual(
        new Map([...(early[0]?.hours ?? []), ...(late[0]?.hours ?? [])]),
      );
      expect(group?.attributes.map(({ name }) => name)).toEqual(['a', 'b']);
    }
  });

  it('They lose an hour once it is a day old, and not before', () => {
    const groups = new SpanGroups();
    groups.addSpan(arrival(), spanWith({}), NOW);
    const [[hour = 0] = []] = groups.kept()[0]?.hours ?? [];
    for (const [time, expected] of [
      [endOf(hour) - 1, 1],
      [endOf(hour), 0],
    ] as const) {
      const later = new SpanGroups();
      later.merge(groups.kept(), time);
      expect(later.kept()).toHaveLength(expected);
      expect(hour >= sinceOf(time)).toBe(expected === 1);
    }
  });
});
