import { OTLP_RULE_DEFAULTS } from '@decision-ledger/contract/otlp-settings';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import { bodyOf, type Members, read } from './support/written-spans.js';

describe('Places that a rule reads', () => {
  const rule = { ...OTLP_RULE_DEFAULTS, confidence: ['fixed:0.8'], scope: 'shop.*' };
  const attributes = {
    'app.call': '{"order":{"id":"A-1","lines":[{"sku":"x/y"}]},"score":0.4}',
    'app.note': 'no json {',
  };

  it.for<readonly [source: string, value: JsonValue | undefined]>([
    ['app.call#/order/id', 'A-1'],
    ['app.call#/order/lines/0/sku', 'x/y'],
    ['app.call#/order/lines/1/sku', undefined],
    ['app.call#/order/lines/length', undefined],
    ['app.call#/__proto__', undefined],
    ['app.note#/order', undefined],
    ['none#/order', undefined],
    ['resource:service.name', 'shop'],
    ['event:app.said:text', 'second'],
    ['event:app.said:data#/a~1b/c~0d', 7],
    ['scope:name', 'shop.refunds'],
    ['span:name', 'refund'],
  ])('%s is %o', ([source, value]) => {
    const events = [
      ['app.said', { text: 'first' }],
      ['app.said', { text: 'second', data: '{"a/b":{"c~d":7}}' }],
    ] as const;
    const read = { ...rule, metadata: { found: source }, without_content: true };
    const { metadata } = bodyOf({ rules: [read] }, { scope: 'shop.refunds', attributes, events });
    expect(metadata?.found).toEqual(value);
  });

  it('A confidence may stand in a JSON text', () => {
    const from = { ...rule, inputs: ['app.call'], confidence: ['app.call#/score'] };
    const body = bodyOf({ rules: [from] }, { scope: 'shop.a', attributes });
    expect([body.confidence, body.metadata?.confidence_source]).toEqual([0.4, 'attribute']);
  });

  it('Of places that are joined, the first that is present counts, under the name of the first', () => {
    const first = {
      ...rule,
      inputs: ['app.none#/a | app.note'],
      outputs: ['app.gone | app.call#/order'],
    };
    const body = bodyOf({ rules: [first] }, { scope: 'shop.a', attributes });
    expect(body.inputs).toEqual({ 'app.none': 'no json {' });
    expect(body.outputs).toMatchObject({ id: 'A-1' });
  });

  it('A rule of another scope does not apply', () => {
    expect(read({ rules: [rule] }, { scope: 'shops', attributes })).toBe('no_rule');
  });
});

describe('What the use of a model took', () => {
  const rule = { ...OTLP_RULE_DEFAULTS, attribute: 'model', confidence: ['fixed:0.8'] };
  const usageOf = (attributes: Members) => {
    const without = { rules: [{ ...rule, without_content: true }] };
    const { metadata } = bodyOf(without, { attributes: { model: 'x', ...attributes } });
    return [metadata?.model, metadata?.usage];
  };

  it.for<
    readonly [attributes: Members, model: JsonValue | undefined, usage: JsonValue | undefined]
  >([
    [{}, undefined, undefined],
    [
      {
        'gen_ai.response.model': 'm',
        'gen_ai.usage.prompt_tokens': 3,
        'operation.cost': 0.0000012,
      },
      'm',
      { input_tokens: 3, cost: '0.0000012', currency: 'USD' },
    ],
    [
      { 'llm.model_name': 'm', 'llm.token_count.total': 9, 'llm.cost.total': 2 },
      'm',
      { total_tokens: 9, cost: '2', currency: 'USD' },
    ],
    [
      {
        'langfuse.observation.model.name': 'm',
        'langfuse.observation.usage_details': '{"input":1,"output":2}',
        'langfuse.observation.cost_details': '{"total":0.5}',
      },
      'm',
      { input_tokens: 1, output_tokens: 2, cost: '0.5', currency: 'USD' },
    ],
    [{ 'ai.model.id': 'm', 'ai.usage.cachedInputTokens': 4 }, 'm', { cached_input_tokens: 4 }],
    [{ 'gen_ai.usage.input_tokens': -1, 'gen_ai.usage.output_tokens': 1.5 }, undefined, undefined],
    [{ 'gen_ai.usage.input_tokens': 'many', 'operation.cost': -1 }, undefined, undefined],
  ])('Usage has one shape: %o', ([attributes, model, usage]) => {
    expect(usageOf(attributes)).toEqual([model, usage]);
  });
});

describe('Evaluations', () => {
  it('OpenInference lists them on the span', () => {
    const rule = {
      ...OTLP_RULE_DEFAULTS,
      attribute: 'input.value',
      inputs: ['input.value'],
      confidence: ['evaluation:sure'],
    };
    const attributes = {
      'input.value': '{}',
      'evaluations.0.evaluation.name': 'tone',
      'evaluations.0.evaluation.score': 0.1,
      'evaluations.1.evaluation.name': 'sure',
      'evaluations.1.evaluation.score': 0.7,
    };
    const { confidence, metadata } = bodyOf({ rules: [rule] }, { attributes });
    expect([confidence, metadata?.confidence_source]).toEqual([0.7, 'evaluation']);
  });
});
