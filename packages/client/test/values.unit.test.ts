import { createHash } from 'node:crypto';
import { Ledger } from '@decision-ledger/client';
import { recordSession } from '@decision-ledger/client/claude-agent';
import { fixed } from '@decision-ledger/client/confidence';
import { TestLedger } from '@decision-ledger/client/testing';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#client/sha256';
import { degrade } from '#client/values/degrade';
import { readJsonText } from '#client/values/json-text';
import { heldOf, VALUE_CASES, valueCasesOf } from '../../contract/test/support/value-cases.js';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import { ODD_VALUES } from './support/odd-values.js';

const HEADS = { agent_id: 'desk', action_type: 'refund' };
const rest = { outputs: {}, confidence: 0.8 };
const named = (way: string) => valueCasesOf(way).map((one) => [one.name, one] as const);
const oddValue = (name: string): unknown => ODD_VALUES[name]?.();

async function recorded(
  inputs: unknown,
  options: ConstructorParameters<typeof TestLedger>[0] = {},
) {
  const ledger = new TestLedger(options);
  Reflect.apply(ledger.record, ledger, [{ ...HEADS, inputs, ...rest }]);
  await ledger.flush();
  return ledger.recorded[0];
}

it('Every case of this language has a value, and every value a case', () => {
  const names = VALUE_CASES.filter(({ ways }) => ways.includes('typescript'));
  expect(Object.keys(ODD_VALUES).sort()).toEqual(names.map(({ name }) => name).sort());
});

describe('An odd value degrades alone', () => {
  it.for(named('typescript'))('In a decision: %s', async ([name, { inputs, degraded }]) => {
    const given = { kept: '49.00', odd: oddValue(name) };
    const found = await recorded(given);
    expect(found && heldOf(found)).toEqual({ inputs, degraded });
  });

  it.for(named('typescript'))('In a call of a tool: %s', async ([name, { inputs, degraded }]) => {
    const ledger = new TestLedger();
    const { hooks } = recordSession({ ledger, agent: 'desk', confidence: fixed(0.8) });
    await hooks.PostToolUse[0]?.hooks[0]?.({
      ...{ hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'refund' },
      ...{ tool_use_id: 'c', tool_response: { ok: 'ok' } },
      tool_input: { kept: '49.00', odd: oddValue(name) },
    });
    await ledger.flush();
    const [found] = ledger.recorded;
    // The metadata of a hook takes places of a list that is cut.
    if (name !== 'list of 100,000') expect(found && heldOf(found)).toEqual({ inputs, degraded });
    expect(found).toMatchObject({ inputs: { kept: '49.00' }, outputs: { ok: 'ok' } });
  });

  it.for(named('json-text'))('In a JSON text: %s', async ([_name, { text, inputs, degraded }]) => {
    const found = await recorded(readJsonText(`{"kept":"49.00","odd":${text}}`));
    expect(found && heldOf(found)).toEqual({ inputs, degraded });
  });

  it.for([
    ['a list', [1], { value: [1] }, ['/inputs']],
    [
      'a set',
      new Set([Number.NaN]),
      { value: ['NaN'] },
      ['/inputs', '/inputs/value', '/inputs/value/0'],
    ],
    ['nothing', null, { value: null }, ['/inputs']],
    ['a map', new Map([['a', 1]]), { a: 1 }, []],
  ] as const)('In the place of all inputs: %s', async ([, inputs, expected, degraded]) => {
    const found = await recorded(inputs);
    expect(found && heldOf(found)).toEqual({ inputs: expected, degraded });
  });
});

describe('What a value does', () => {
  it('A value that leads to another on each reading is read once', async () => {
    let reads = 0;
    const odd = {
      get amount() {
        reads += 1;
        return reads === 1 ? '49.00' : Number.NaN;
      },
    };
    expect(await recorded({ odd })).toMatchObject({ inputs: { odd: { amount: '49.00' } } });
    expect(reads).toBe(1);
  });

  it('References that double 60 times end soon, and what stands beside them is kept', async () => {
    let odd: unknown = [1];
    for (let at = 0; at < 60; at += 1) odd = [odd, odd];
    const kept = { amount: '49.00' };
    let recording: ReturnType<typeof recorded> | undefined;
    const spent = await cpuMs(() => {
      recording = recorded({ before: kept, odd, after: kept });
      return recording;
    });
    const found = await recording;
    expect(found).toMatchObject({ inputs: { before: kept, after: kept }, outputs: {} });
    expect(found?.metadata?.degraded_count).toBeGreaterThan(100);
    // All 2^60 of them would never end.
    expect(spent).toBeLessThan(10_000);
  });

  it('The paths are counted beyond 32 of them', async () => {
    const odd = Array.from({ length: 1000 }, () => Number.NaN);
    const { degraded, degraded_count } = (await recorded({ odd }))?.metadata ?? {};
    expect(degraded).toHaveLength(32);
    expect(degraded_count).toBe(1000);
  });

  it('A long text is cut where all texts together are too long', async () => {
    const text = 'x'.repeat(8 * 1024 * 1024);
    const { value, marks } = degrade({ list: Array.from({ length: 9 }, () => text) }, () => '');
    expect(JSON.stringify(value).length).toBeLessThan(65 * 1024 * 1024);
    expect(marks.paths).toEqual(['/list/7', '/list/8']);
  });

  it('Metadata of its own under the name of the marks is kept', async () => {
    const ledger = new TestLedger();
    const metadata = { degraded: 'no', order: 'A-1' };
    ledger.record({ ...HEADS, inputs: { odd: 2n ** 64n }, ...rest, metadata });
    await ledger.flush();
    expect(ledger.recorded[0]?.metadata).toEqual({
      ...{ '[degraded]': 'no', order: 'A-1', degraded: ['/inputs/odd'] },
    });
  });

  it('A mask sees what is recorded, and no path tells what it removed', async () => {
    const secret = { name: Number.NaN };
    const found = await recorded({ secret, odd: 2n ** 64n }, { mask: { allow: ['inputs.odd'] } });
    expect(found && heldOf(found)).toEqual({
      inputs: { odd: '18446744073709551616' },
      degraded: ['/inputs/odd'],
    });
  });

  it('A mask may return odd values', async () => {
    const mask = () => ({ inputs: { odd: new Set(['a']) }, outputs: {} });
    const found = await recorded({ odd: 1 }, { mask });
    expect(found && heldOf(found)).toEqual({ inputs: { odd: ['a'] }, degraded: ['/inputs/odd'] });
  });
});

it('A digest is that of the platform, whatever the length', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

describe('A text that is whole JSON is read as what it is', () => {
  it.for([
    ['{"a":[1,{"b":null}],"c":"\\u00e9\\""}', { a: [1, { b: null }], c: 'é"' }],
    [' [1.5, true, ""] ', [1.5, true, '']],
    ['{}', {}],
    ['true', 'true'],
    ['12', '12'],
    ['"text"', '"text"'],
    ['{"a":1} and more', '{"a":1} and more'],
    ['{a: 1}', '{a: 1}'],
    ['[NaN]', '[NaN]'],
  ] as const)('A text that is whole becomes a value, another one stays: %s', ([text, value]) => {
    expect(readJsonText(text)).toEqual(value);
  });

  it('A text that is too long, or nested without end, stays one', () => {
    const long = `["${'x'.repeat(1024 * 1024)}"]`;
    expect(readJsonText(long)).toBe(long);
    const deep = '['.repeat(100_000);
    expect(readJsonText(deep)).toBe(deep);
  });
});

it('A client for real keeps odd values, too', async () => {
  const bodies: string[] = [];
  const ledger = new Ledger({
    ...{ url: 'http://ledger.test', key: 'lg_test_1', onError: () => undefined },
    fetch: async (_url, { body }) => {
      bodies.push(String(body));
      return new Response('{}', { status: 400 });
    },
  });
  ledger.record({ ...HEADS, inputs: { odd: Buffer.from('abc') }, ...rest });
  await ledger.close().catch(() => undefined);
  const sha256 = createHash('sha256').update('abc').digest('hex');
  expect(bodies[0]).toContain(`{"$degraded":"bytes","sha256":"${sha256}","size":3}`);
});
