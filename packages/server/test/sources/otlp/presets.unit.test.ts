import {
  OTLP_PRESETS,
  OTLP_RULE_DEFAULTS,
  type OtlpPreset,
} from '@decision-ledger/contract/otlp-settings';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import { casesOf, formOf, type Report } from '../../../../contract/test/support/outcome-cases.js';
import { bodyOf, type Members, read, type Written } from './support/written-spans.js';

/** How each instrumentation writes a call of a tool, as its package does. Nothing returned: it failed. */
type Write = (input: JsonValue, returned: string | undefined) => Omit<Written, 'failure'>;
const withResult = (name: string, returned: string | undefined): Members =>
  returned === undefined ? {} : { [name]: returned };
const genAi = (input: JsonValue, returned: string | undefined): Members => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'refund',
  'gen_ai.tool.call.arguments': JSON.stringify(input),
  ...withResult('gen_ai.tool.call.result', returned),
});

const WRITERS: Readonly<
  Record<string, readonly [preset: Exclude<OtlpPreset, 'detect_1'>, write: Write]>
> = {
  'the conventions': ['gen_ai_1.45', (input, returned) => ({ attributes: genAi(input, returned) })],
  'the conventions, with content in events': [
    'gen_ai_1.45',
    (input, returned) => ({
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund' },
      events: [
        ['gen_ai.tool.message', { role: 'tool', content: JSON.stringify(input) }],
        ...(returned === undefined ? [] : [['gen_ai.choice', { message: returned }] as const]),
      ],
    }),
  ],
  OpenInference: [
    'openinference_1',
    (input, returned) => ({
      scope: 'openinference.instrumentation.openai_agents',
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'refund',
        'input.value': JSON.stringify(input),
        ...withResult('output.value', returned),
      },
    }),
  ],
  'OpenInference for LangChain': [
    'openinference_1',
    (input, returned) => ({
      scope: 'openinference.instrumentation.langchain',
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'refund',
        'input.value': JSON.stringify(input),
        ...(returned !== undefined && {
          'output.value': JSON.stringify({ type: 'tool', data: { content: returned } }),
        }),
      },
    }),
  ],
  OpenLLMetry: [
    'openllmetry_1',
    (input, returned) => ({
      scope: 'opentelemetry.instrumentation.openai_agents',
      attributes: { ...genAi(input, returned), 'traceloop.span.kind': 'tool' },
    }),
  ],
  'OpenLLMetry for LangChain': [
    'openllmetry_1',
    (input, returned) => ({
      scope: 'opentelemetry.instrumentation.langchain',
      attributes: {
        ...genAi({ input_str: 'x', inputs: input, kwargs: { tool_call_id: 'c' } }, undefined),
        'traceloop.span.kind': 'tool',
        ...(returned !== undefined && {
          'gen_ai.tool.call.result': JSON.stringify({ output: { kwargs: { content: returned } } }),
        }),
      },
    }),
  ],
  'the AI SDK': [
    'ai_sdk_1',
    (input, returned) => ({
      scope: 'ai',
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'refund',
        'ai.toolCall.args': JSON.stringify(input),
        ...withResult('ai.toolCall.result', returned),
      },
    }),
  ],
  'the AI SDK since version 7': [
    'ai_sdk_1',
    (input, returned) => ({ scope: 'gen_ai', attributes: genAi(input, returned) }),
  ],
  Langfuse: [
    'langfuse_1',
    (input, returned) => ({
      scope: 'langfuse-sdk',
      attributes: {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': JSON.stringify(input),
        ...withResult('langfuse.observation.output', returned),
      },
    }),
  ],
  'pydantic-ai': [
    'logfire_1',
    (input, returned) => ({ scope: 'pydantic-ai', attributes: genAi(input, returned) }),
  ],
  'pydantic-ai, with its names of version 2': [
    'logfire_1',
    (input, returned) => ({
      scope: 'pydantic-ai',
      name: 'running tool',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'refund',
        tool_arguments: JSON.stringify(input),
        ...withResult('tool_response', returned),
      },
    }),
  ],
  Mastra: [
    'mastra_1',
    (input, returned) => ({ scope: '@mastra/otel-exporter', attributes: genAi(input, returned) }),
  ],
  'Mastra before version 1': [
    'mastra_1',
    (input, returned) => ({
      scope: '@mastra/otel',
      attributes: {
        'gen_ai.operation.name': 'tool.execute',
        'gen_ai.tool.name': 'refund',
        'gen_ai.tool.input': JSON.stringify(input),
        ...withResult('gen_ai.tool.output', returned),
      },
    }),
  ],
};

const WAYS = Object.entries(WRITERS).map(([title, [preset, write]]) => ({ title, preset, write }));

function written(write: Write, { returned, raised }: Report): Written {
  if (raised !== undefined) return { ...write({}, undefined), failure: raised };
  return write({}, typeof returned === 'string' ? returned : JSON.stringify(returned));
}

describe.for(WAYS)('Tool calls of $title', ({ preset, write }) => {
  it('The preset reads agent, action, inputs and outputs, and says which it is', () => {
    const body = bodyOf({ preset }, write({ order_id: 'A-1' }, '{"approved":true}'));
    expect(body).toMatchObject({
      ...{ agent_id: 'shop', action_type: 'refund' },
      ...{ inputs: { order_id: 'A-1' }, outputs: { approved: true } },
      metadata: { otlp_preset: preset, outcome: 'done', confidence_source: 'fixed' },
    });
  });

  it('Where presets are detected, the same preset reads them', () => {
    const { metadata, ...rest } = bodyOf({ preset: 'detect_1' }, write({ a: 1 }, '{"b":2}'));
    expect(metadata?.otlp_preset).toBe(preset);
    expect(rest).toMatchObject({ inputs: { a: 1 }, outputs: { b: 2 } });
  });

  it('A confidence among the arguments counts, and one that is no confidence does not', () => {
    const confidences = [0.25, '0.25', 85].map((confidence) => {
      const body = bodyOf({ preset }, write({ confidence }, '{}'));
      return [body.confidence, body.metadata?.confidence_source];
    });
    expect(confidences).toEqual([
      [0.25, 'argument'],
      [0.5, 'fixed'],
      [0.5, 'fixed'],
    ]);
  });

  it('A tool that failed is recorded with the exception that the span recorded', () => {
    const { events = [], ...rest } = write({ order_id: 'A-3' }, undefined);
    const exception = [
      'exception',
      { 'exception.type': 'OSError', 'exception.message': 'closed' },
    ] as const;
    const body = bodyOf(
      { preset },
      { ...rest, events: [...events, exception], failure: 'Traceback' },
    );
    expect(body).toMatchObject({
      outputs: { error: { type: 'OSError', message: 'closed' } },
      metadata: { outcome: 'failed' },
    });
  });

  it.for(casesOf('otlp').map((one) => [one.name, one] as const))(
    'They are recorded as the cases of outcomes say: %s',
    ([_name, { report, outputs, stated }]) => {
      const { outputs: found, metadata } = bodyOf({ preset }, written(write, report));
      const { error, ...others } = { error: undefined, ...found };
      const wanted = { error: undefined, ...outputs };
      expect(formOf({ outputs: others, metadata })).toEqual({
        outputs: Object.fromEntries(Object.entries(wanted).filter(([name]) => name !== 'error')),
        stated,
      });
      expect(error === undefined).toBe(wanted.error === undefined);
    },
  );
});

describe('What the presets do not record', () => {
  it('Every preset but the detection has a writer here', () => {
    const tested = new Set(WAYS.map(({ preset }) => preset));
    expect(OTLP_PRESETS.filter((preset) => preset !== 'detect_1' && !tested.has(preset))).toEqual(
      [],
    );
  });

  it.for([
    { 'gen_ai.operation.name': 'chat' },
    { 'openinference.span.kind': 'CHAIN', 'input.value': '{}' },
    { 'traceloop.span.kind': 'workflow', 'traceloop.entity.input': '{}' },
    { 'langfuse.observation.type': 'generation', 'langfuse.observation.input': '{}' },
    { 'ai.operationId': 'ai.generateText' },
  ])('%o is no decision', (attributes) => {
    expect(read({ preset: 'detect_1' }, { attributes })).toBe('no_rule');
  });

  it('A tool without inputs and outputs is none, unless a rule asks for it', () => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund' };
    expect(read({ preset: 'detect_1' }, { attributes })).toBe('no_content');
    const rule = { ...OTLP_RULE_DEFAULTS, operation: 'execute_tool', confidence: ['fixed:0.8'] };
    expect(read({ rules: [rule] }, { attributes })).toBe('no_content');
    const asked = { rules: [{ ...rule, without_content: true }] };
    expect(bodyOf(asked, { attributes })).toMatchObject({ inputs: {}, outputs: {} });
    expect(bodyOf({ rules: [rule] }, { attributes, failure: 'no' }).outputs).toMatchObject({
      error: { message: 'no' },
    });
  });
});
