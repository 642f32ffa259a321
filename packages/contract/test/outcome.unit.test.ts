import { type OutcomePayload, outcomeReader } from '@decision-ledger/contract/outcome';
import { DEFAULT_OUTCOMES, OutcomeSettings } from '@decision-ledger/contract/outcome-settings';
import fc from 'fast-check';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';

const read = outcomeReader(DEFAULT_OUTCOMES);
const of = (payload: Partial<OutcomePayload>) => read({ action_type: 'refund', ...payload });
const outcomeOf = (outputs: unknown) => of({ outputs }).outcome;
const inText = (value: unknown) => JSON.stringify(value);

describe('What outputs say', () => {
  it.for<[unknown, string, string | null]>([
    [{ approved: false }, 'denied', 'outputs.approved'],
    [{ status: 'DECLINED' }, 'denied', 'outputs.status'],
    [{ rejected: true, ok: true }, 'denied', 'outputs.rejected'],
    [{ success: false }, 'failed', 'outputs.success'],
    [{ isError: true }, 'failed', 'outputs.isError'],
    [{ state: 'Not Found' }, 'failed', 'outputs.state'],
    [{ approved: true }, 'done', 'outputs.approved'],
    [{ status: 'completed' }, 'done', 'outputs.status'],
    [{ status: 'partial' }, 'unknown', 'outputs.status'],
    [{ status: 'timed_out', error: 'no answer' }, 'unknown', 'outputs.status'],
    [{ amount: 5 }, 'unknown', null],
    [{ succeeded: 1, failed: 2 }, 'unknown', null],
    [{}, 'unknown', null],
    [null, 'unknown', null],
    [[{ approved: false }], 'unknown', null],
  ])('The outputs %j say: %s', ([outputs, outcome, by]) => {
    expect(of({ outputs })).toMatchObject({ outcome, by });
  });

  it.for<[unknown, string]>([
    ['no funds', 'failed'],
    [true, 'failed'],
    [{ code: 'E1' }, 'failed'],
    [['a', 'b'], 'failed'],
    ['{"code": 7}', 'failed'],
    ['', 'unknown'],
    ['null', 'unknown'],
    ['{}', 'unknown'],
    [null, 'unknown'],
    [false, 'unknown'],
    [{}, 'unknown'],
    [0, 'unknown'],
  ])('An error %j says: %s', ([error, outcome]) => {
    expect(outcomeOf({ error })).toBe(outcome);
  });

  it('An error beside a success of the same result is a contradiction, elsewhere it is an error', () => {
    expect(outcomeOf({ ok: true, error: 'one address is wrong' })).toBe('unknown');
    expect(outcomeOf({ ok: true, result: { error: 'no funds' } })).toBe('failed');
  });

  it.for<[unknown, string]>([
    [200, 'done'],
    [201, 'done'],
    ['204', 'done'],
    [202, 'unknown'],
    [302, 'unknown'],
    [404, 'failed'],
    ['422', 'failed'],
    [503, 'failed'],
    [408, 'unknown'],
    [504, 'unknown'],
    [600, 'unknown'],
    [4040, 'unknown'],
    [1, 'unknown'],
  ])('The HTTP status %j says: %s', ([status, outcome]) => {
    expect(outcomeOf({ status })).toBe(outcome);
    expect(outcomeOf({ result: inText({ statusCode: status }) })).toBe(outcome);
  });

  it.for<[string, unknown]>([
    ['a mapping', { result: { approved: false } }],
    ['a JSON text', { result: inText({ approved: false }) }],
    ['a JSON text in one', { value: inText({ result: inText({ approved: false }) }) }],
    ['a content of MCP', { content: [{ type: 'text', text: inText({ approved: false }) }] }],
    ['structured content', { structuredContent: { approved: false }, content: [] }],
    ['an attribute', { 'gen_ai.tool.call.result': inText({ approved: false }) }],
    ['text alone', { approved: 'false' }],
  ])('A result is read from %s', ([_what, outputs]) => {
    expect(outcomeOf(outputs)).toBe('denied');
  });

  it.for<[string, unknown]>([
    ['words', { result: 'The refund was denied and failed with an error' }],
    ['words of another language', { status: 'abgelehnt', result: 'échec' }],
    ['a JSON text that is cut', { result: '{"approved": false' }],
    ['a JSON text within words', { result: 'answer: {"approved": false}' }],
    ['two contents', { content: ['a', 'b'].map((text) => ({ type: 'text', text })) }],
    ['a list of results', { result: [{ approved: false }, { approved: true }] }],
    ['a list of a result', { result: inText([{ approved: false }]) }],
    ['members that only look alike', { approved_by: false, status_text: 'denied' }],
  ])('Nothing is guessed from %s', ([_what, outputs]) => {
    expect(outcomeOf(outputs)).toBe('unknown');
  });

  it('A cancellation that reports "cancelled" is not denied, another action is', () => {
    const outputs = { status: 'cancelled' };
    expect(of({ action_type: 'Cancel_Subscription', outputs }).outcome).toBe('unknown');
    expect(of({ action_type: 'refund_order', outputs }).outcome).toBe('denied');
  });
});

describe('What a hook states', () => {
  it.for<[unknown, unknown, string, string | null]>([
    ['denied', { ok: true }, 'denied', 'stated'],
    ['failed', { approved: true }, 'failed', 'stated'],
    ['unknown', { error: { type: 'cancelled' } }, 'unknown', 'stated'],
    ['done', {}, 'done', 'stated'],
    ['done', undefined, 'done', 'stated'],
    ['done', { approved: false }, 'denied', 'value'],
    ['done', { result: { error: 'no funds' } }, 'failed', 'error'],
    ['done', { status: 'pending' }, 'unknown', 'value'],
    ['delivered', {}, 'unknown', null],
    [true, {}, 'unknown', null],
  ])('What is stated, %j, with outputs of %j is %s', ([outcome, outputs, expected, reason]) => {
    expect(of({ metadata: { outcome }, outputs })).toMatchObject({ outcome: expected, reason });
  });
});

describe('Settings', () => {
  const withRule = (rule: unknown, fields: object = {}) =>
    outcomeReader(
      Parse(OutcomeSettings, {
        ...DEFAULT_OUTCOMES,
        values: [...DEFAULT_OUTCOMES.values, rule],
        ...fields,
      }),
    );

  it('An organisation adds its own words, in any field', () => {
    const own = withRule({
      outcome: 'denied',
      paths: ['outputs.bescheid', 'inputs.entscheidung.art', 'metadata.step'],
      values: ['Abgelehnt'],
    });
    const at = (payload: object) => own({ action_type: 'x', ...payload }).by;
    expect(at({ outputs: { bescheid: 'abgelehnt' } })).toBe('outputs.bescheid');
    expect(at({ inputs: { entscheidung: { art: 'ABGELEHNT' } } })).toBe('inputs.entscheidung.art');
    expect(at({ metadata: { step: 'abgelehnt' } })).toBe('metadata.step');
    expect(at({ outputs: { result: { bescheid: 'abgelehnt' } } })).toBe('outputs.result.bescheid');
  });

  it('Results, errors and statuses stand where the settings say', () => {
    const none = { results: [], errors: [], http_statuses: [] };
    const strict = outcomeReader({ ...DEFAULT_OUTCOMES, ...none });
    for (const outputs of [{ result: { approved: false } }, { error: 'x' }, { status: 500 }]) {
      expect(strict({ action_type: 'x', outputs }).reason).toBe(null);
    }
    const own = { results: ['outputs.a.b'], errors: ['outputs.fault'], http_statuses: [] };
    const named = outcomeReader({ ...DEFAULT_OUTCOMES, ...own });
    const outputs = { a: { b: inText({ fault: 'x' }) } };
    expect(named({ action_type: 'x', outputs }).by).toBe('outputs.a.b.fault');
  });
});

describe('Any payload', () => {
  it('Is read without an error, and as one whose members are in another order', () => {
    const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const word = fc.constantFrom('denied', 'failed', 'ok', 'pending', '{"ok":false}', '', 'x');
    const value = fc.oneof(word, fc.boolean(), fc.integer(), fc.constant(null), fc.jsonValue());
    const names = ['approved', 'status', 'error', 'result', 'ok', 'value', 'outcome', '__proto__'];
    const outputs = fc.dictionary(fc.constantFrom(...names), value);
    fc.assert(
      fc.property(outputs, outputs, (some, metadata) => {
        const found = of({ outputs: some, metadata });
        expect(of({ outputs: reversed(some), metadata: reversed(metadata) })).toEqual(found);
        expect((found.reason === null) === (found.by === null)).toBe(true);
      }),
    );
  });

  it('Takes a bounded time, whatever it holds', async () => {
    const deep = '['.repeat(200_000);
    const nested = inText({ result: inText({ result: inText({ text: 'x'.repeat(60_000) }) }) });
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, '{"a":1}']));
    const spent = await cpuMs(() => {
      for (let run = 0; run < 50; run += 1) {
        of({ outputs: { result: deep, value: nested, status: 'x'.repeat(250_000), ...wide } });
      }
    });
    expect(spent).toBeLessThan(2000);
    expect(outcomeOf({ result: `{"approved": false, "text": "${'x'.repeat(70_000)}"}` })).toBe(
      'unknown',
    );
  });
});
