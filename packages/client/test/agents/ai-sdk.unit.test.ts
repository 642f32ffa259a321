import { type AgentOptions, ledgerTelemetry } from '@decision-ledger/client/ai-sdk';
import { fixed, stated } from '@decision-ledger/client/confidence';
import { TestLedger } from '@decision-ledger/client/testing';
import {
  experimental_decide,
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  type Telemetry,
  tool,
} from 'ai';
import {
  Experimental_DecisionMockModelV4,
  MockLanguageModelV4,
  simulateReadableStream,
} from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AI_SDK } from './support/ai-sdk-node.js';
import { HOSTILE, outcomeOf } from './support/hostile.js';
import { TROUBLED } from './support/troubled.js';

const describeSdk = AI_SDK.isTooOld ? describe.skip : describe;
const { note } = AI_SDK;

type Part =
  | { readonly text: string }
  | {
      readonly call: string;
      readonly id?: string;
      readonly input: object;
      readonly byProvider?: object;
    };

type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content'][number];
type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type Chunk = Stream extends ReadableStream<infer Value> ? Value : never;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that answers each turn as it is written down. */
function scripted(turns: readonly (readonly Part[])[]) {
  const finish = (parts: readonly Part[]) => ({
    unified: parts.some((part) => 'call' in part) ? ('tool-calls' as const) : ('stop' as const),
    raw: undefined,
  });
  return new MockLanguageModelV4({
    doGenerate: turns.map((parts) => ({
      content: parts.flatMap(contentOf),
      finishReason: finish(parts),
      usage: USAGE,
      warnings: [],
    })),
    doStream: turns.map((parts) => ({
      stream: simulateReadableStream<Chunk>({
        chunks: [
          { type: 'stream-start' as const, warnings: [] },
          ...parts.flatMap(streamOf),
          { type: 'finish' as const, usage: USAGE, finishReason: finish(parts) },
        ],
      }),
    })),
  });
}

function callOf(part: Extract<Part, { call: string }>): (Content & Chunk)[] {
  const { call, input, id = `call-${call}`, byProvider } = part;
  const made = { toolCallId: id, toolName: call };
  const run = byProvider === undefined ? {} : { providerExecuted: true };
  return [
    { type: 'tool-call' as const, ...made, input: JSON.stringify(input), ...run },
    ...(byProvider === undefined
      ? []
      : [{ type: 'tool-result' as const, ...made, result: { ...byProvider } }]),
  ];
}

function contentOf(part: Part): Content[] {
  return 'text' in part ? [{ type: 'text' as const, text: part.text }] : callOf(part);
}

function streamOf(part: Part): Chunk[] {
  if ('call' in part) return callOf(part);
  return [
    { type: 'text-start' as const, id: 't' },
    { type: 'text-delta' as const, id: 't', delta: part.text },
    { type: 'text-end' as const, id: 't' },
  ];
}

const tools = {
  refund: tool({
    inputSchema: z.object({ order: z.string(), amount: z.string(), sure: z.number().optional() }),
    execute: ({ amount }) => ({ refunded: amount }),
  }),
  cancel: tool({
    inputSchema: z.object({ order: z.string() }),
    execute: (): string => {
      throw new RangeError('the order was shipped');
    },
  }),
  search: tool({ inputSchema: z.object({}), execute: () => ['A-1', 'A-2'] }),
};

const REFUND = { call: 'refund', input: { order: 'A-1', amount: '49.00', sure: 0.9 } };
const FAILING = { call: 'cancel', input: { order: 'A-2' } };
const DONE = { text: 'done' };

function setUp(options: Partial<AgentOptions> = {}) {
  const ledger = new TestLedger();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const base = { ledger, agent: 'refund-agent', confidence: stated('inputs.sure'), warn };
  const telemetry = ledgerTelemetry({ ...base, ...options });
  const recorded = async () => {
    await ledger.flush();
    return ledger.recorded;
  };
  return { telemetry, recorded, warnings };
}

/** What the caller of an agent sees. */
async function generate(
  turns: readonly (readonly Part[])[],
  telemetry: Telemetry | null,
  more: { messages?: ModelMessage[]; toolApproval?: { refund: 'user-approval' } } = {},
) {
  const { messages = [{ role: 'user', content: 'go' }], ...settings } = more;
  const result = await generateText({
    model: scripted(turns),
    tools,
    stopWhen: isStepCount(5),
    messages,
    ...settings,
    ...(telemetry !== null && { telemetry: { integrations: telemetry } }),
  });
  const { text, responseMessages, content } = result;
  return { text, responseMessages, content };
}

async function stream(turns: readonly (readonly Part[])[], telemetry: Telemetry | null) {
  const result = streamText({
    model: scripted(turns),
    tools,
    stopWhen: isStepCount(5),
    prompt: 'go',
    onError: () => undefined,
    ...(telemetry !== null && { telemetry: { integrations: telemetry } }),
  });
  const chunks: string[] = [];
  for await (const chunk of result.textStream) chunks.push(chunk);
  return { chunks, content: await result.content };
}

describeSdk(`the Vercel AI SDK${note}`, () => {
  it('A tool call is a decision, and a turn of the model is none', async () => {
    const { telemetry, recorded, warnings } = setUp();
    await generate([[REFUND], [DONE]], telemetry);
    expect(await recorded()).toMatchObject([
      {
        agent_id: 'refund-agent',
        action_type: 'refund',
        inputs: { order: 'A-1', amount: '49.00' },
        outputs: { refunded: '49.00' },
        confidence: 0.9,
        metadata: {
          confidence_source: 'rule',
          tool_call_id: 'call-refund',
          call_id: expect.any(String),
          model: 'mock-model-id',
        },
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('A tool that fails is recorded with its error', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.8) });
    await generate([[FAILING], [DONE]], telemetry);
    const error = { type: 'RangeError', message: 'the order was shipped' };
    expect(await recorded()).toMatchObject([
      {
        action_type: 'cancel',
        outputs: { status: 'failed', error },
        metadata: { confidence_source: 'fixed' },
      },
    ]);
  });

  it('Tools that run side by side are recorded each with its own result, except those that only read', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.8), readOnly: ['search'] });
    const second = { ...REFUND, id: 'second', input: { order: 'A-3', amount: '5.00' } };
    await generate([[REFUND, second, FAILING, { call: 'search', input: {} }], [DONE]], telemetry);
    const seen = (await recorded()).map(({ action_type, outputs }) => [action_type, outputs]);
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(
      expect.arrayContaining([
        ['refund', { refunded: '49.00' }],
        ['refund', { refunded: '5.00' }],
        ['cancel', expect.objectContaining({ status: 'failed' })],
      ]),
    );
  });

  it('A streamed run records the same as one that is not streamed', async () => {
    const [whole, streamed] = [setUp(), setUp()];
    await generate([[REFUND], [DONE]], whole.telemetry);
    await stream([[REFUND], [DONE]], streamed.telemetry);
    const parts = ({
      inputs,
      outputs,
      confidence,
    }: Awaited<ReturnType<typeof whole.recorded>>[0]) => ({ inputs, outputs, confidence });
    expect((await streamed.recorded()).map(parts)).toEqual((await whole.recorded()).map(parts));
  });

  it('A tool that the provider runs is recorded with its result and the model', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.8) });
    const part = { call: 'order_parts', input: { part: 'P-1' }, byProvider: { ordered: true } };
    await generate([[part, DONE]], telemetry);
    expect(await recorded()).toMatchObject([
      {
        action_type: 'order_parts',
        inputs: { part: 'P-1' },
        outputs: { ordered: true },
        metadata: { model: 'mock-model-id' },
      },
    ]);
  });

  it('A final output is recorded on request, and inputs that telemetry may not have are left out', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.8), also: ['final_output'] });
    await generateText({
      model: scripted([[REFUND], [DONE]]),
      ...{ tools, stopWhen: isStepCount(5), prompt: 'go' },
      telemetry: { integrations: telemetry, recordInputs: false },
    });
    expect((await recorded()).map((one) => [one.action_type, one.inputs, one.outputs])).toEqual([
      ['refund', {}, { refunded: '49.00' }],
      ['final_output', {}, { value: 'done' }],
    ]);
  });

  it('`telemetry.functionId` names the agent', async () => {
    const { telemetry, recorded } = setUp();
    await generateText({
      model: scripted([[REFUND], [DONE]]),
      ...{ tools, stopWhen: isStepCount(5), prompt: 'go' },
      telemetry: { integrations: telemetry, functionId: 'night-shift' },
    });
    expect(await recorded()).toMatchObject([{ agent_id: 'night-shift' }]);
  });
});

/** The messages of a run that waits for a person, and that person's answer. */
async function askAndAnswer(telemetry: Telemetry | null, approved: boolean) {
  const first = await generate([[REFUND]], telemetry, {
    toolApproval: { refund: 'user-approval' },
  });
  const request = first.content.find(({ type }) => type === 'tool-approval-request');
  if (request?.type !== 'tool-approval-request') throw new Error('no request for approval');
  const { approvalId } = request;
  const answer = {
    type: 'tool-approval-response' as const,
    approvalId,
    approved,
    reason: 'checked',
  };
  const messages: ModelMessage[] = [
    { role: 'user', content: 'go' },
    ...first.responseMessages,
    { role: 'tool', content: [answer] },
  ];
  return messages;
}

describeSdk(`a person’s answer in the Vercel AI SDK${note}`, () => {
  it('An approved call is one decision, in which a person took part', async () => {
    const { telemetry, recorded } = setUp();
    const messages = await askAndAnswer(telemetry, true);
    expect(await recorded()).toEqual([]);
    await generate([[DONE]], telemetry, { messages, toolApproval: { refund: 'user-approval' } });
    expect(await recorded()).toMatchObject([
      { action_type: 'refund', outputs: { refunded: '49.00' }, human_in_loop: true },
    ]);
  });

  it('A rejected call is a decision of a person, recorded once however often its messages are sent', async () => {
    const { telemetry, recorded } = setUp();
    const messages = await askAndAnswer(telemetry, false);
    for (let time = 1; time <= 2; time += 1) {
      await generate([[DONE]], telemetry, { messages, toolApproval: { refund: 'user-approval' } });
    }
    expect(await recorded()).toMatchObject([
      {
        action_type: 'refund',
        inputs: { order: 'A-1', amount: '49.00' },
        outputs: { approved: false, reason: 'checked' },
        human_in_loop: true,
        metadata: { tool_call_id: 'call-refund' },
      },
    ]);
  });

  it('A call after the approved one is not taken for approved', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.8) });
    const messages = await askAndAnswer(telemetry, true);
    await generate([[FAILING], [DONE]], telemetry, { messages });
    expect((await recorded()).map((one) => [one.action_type, one.human_in_loop])).toEqual([
      ['refund', true],
      ['cancel', undefined],
    ]);
  });
});

describeSdk(`a choice of the Vercel AI SDK${note}`, () => {
  const route = {
    type: 'choice' as const,
    instructions: 'Which team?',
    criteria: { billing: 'about money', delivery: 'about parcels' },
  };
  const decide = (telemetry: Telemetry, probabilities?: { billing: number; delivery: number }) =>
    experimental_decide({
      model: new Experimental_DecisionMockModelV4({
        doDecide: async () => ({
          answers: {
            route: {
              type: 'choice',
              choice: 'billing',
              ...(probabilities !== undefined && { probabilities }),
            },
            urgent: { type: 'boolean', probability: 0.3 },
          },
          warnings: [],
        }),
      }),
      state: 'I was charged twice',
      questions: { route, urgent: { type: 'boolean', instructions: 'Is it urgent?' } },
      telemetry: { integrations: telemetry },
    });

  it('Its confidence is the probability that the model gave it, and the others are alternatives', async () => {
    const { telemetry, recorded } = setUp();
    await decide(telemetry, { billing: 0.85, delivery: 0.15 });
    expect(await recorded()).toMatchObject([
      {
        action_type: 'route',
        inputs: { state: 'I was charged twice', question: route },
        outputs: { choice: 'billing' },
        alternatives: [{ choice: 'delivery', probability: 0.15 }],
        confidence: 0.85,
        metadata: { confidence_source: 'framework', model: 'mock-model-id' },
      },
    ]);
  });

  it('Without probabilities, the confidence is that of the options', async () => {
    const { telemetry, recorded } = setUp({ confidence: fixed(0.7) });
    await decide(telemetry);
    expect(await recorded()).toMatchObject([
      { confidence: 0.7, metadata: { confidence_source: 'fixed' } },
    ]);
  });
});

describeSdk(`a run of the Vercel AI SDK${note}`, () => {
  const turns = [[REFUND, FAILING], [DONE]];

  it.each(TROUBLED)('The run is the same with a ledger that $trouble', async ({ open }) => {
    const { ledger, close } = open();
    const options = { ledger, agent: 'refund-agent', warn: () => undefined };
    const telemetry = ledgerTelemetry({ ...options, confidence: fixed(0.8) });
    expect(withoutIds(await generate(turns, telemetry))).toEqual(
      withoutIds(await generate(turns, null)),
    );
    expect(withoutIds(await stream(turns, telemetry))).toEqual(
      withoutIds(await stream(turns, null)),
    );
    await close();
  });

  it.each(Object.entries(HOSTILE))(
    'A tool that gives %s ends it as without the ledger',
    async (_name, give) => {
      const run = async (telemetry: Telemetry | null) => {
        const hostile = {
          refund: tool({ inputSchema: z.object({ order: z.string() }), execute: give }),
        };
        const { text, content } = await generateText({
          ...{ model: scripted([[REFUND], [DONE]]), tools: hostile, prompt: 'go' },
          stopWhen: isStepCount(5),
          ...(telemetry !== null && { telemetry: { integrations: telemetry } }),
        });
        return { text, content };
      };
      const { telemetry, recorded } = setUp({ confidence: fixed(0.8) });
      const plain = await outcomeOf(() => run(null));
      expect(await outcomeOf(() => run(telemetry))).toBe(plain);
      expect(await recorded()).toHaveLength(1);
    },
  );
});

/** Errors become their texts: two runs throw two objects. */
function withoutIds(result: object): unknown {
  return JSON.parse(
    JSON.stringify(result, (_name, value) => (value instanceof Error ? String(value) : value)),
  );
}
