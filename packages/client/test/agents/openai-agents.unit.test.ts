import { fixed, stated } from '@decision-ledger/client/confidence';
import { type AgentOptions, recordRunner } from '@decision-ledger/client/openai-agents';
import { TestLedger } from '@decision-ledger/client/testing';
import {
  Agent,
  type AssistantMessageItem,
  defineToolInputGuardrail,
  type FunctionCallItem,
  type Model,
  Runner,
  RunState,
  type StreamEvent,
  setTraceProcessors,
  setTracingDisabled,
  ToolGuardrailFunctionOutputFactory,
  tool,
  Usage,
} from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TROUBLED } from './support/troubled.js';

type Turn = (FunctionCallItem | AssistantMessageItem)[];

/** A model that answers each turn as it is written down. */
function scripted(...turns: readonly Turn[]): Model {
  const left = [...turns];
  const next = (): Turn => left.shift() ?? [];
  return {
    getResponse: async () => ({ usage: new Usage(), output: next() }),
    async *getStreamedResponse(): AsyncGenerator<StreamEvent> {
      const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: 'response_started' };
      yield { type: 'response_done', response: { id: 'r', usage, output: next() } };
    },
  };
}

function call(name: string, args: object, callId: string): FunctionCallItem {
  const status = 'completed';
  return { type: 'function_call', callId, name, status, arguments: JSON.stringify(args) };
}

function text(said: string): AssistantMessageItem {
  const content = [{ type: 'output_text' as const, text: said }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

const refund = tool({
  name: 'refund',
  description: 'Refunds an order',
  parameters: z.object({ order: z.string(), amount: z.string(), sure: z.number() }),
  needsApproval: async (_context, { amount }) => Number(amount) > 500,
  execute: async ({ amount }) => ({ refunded: amount }),
});
const fail = () => {
  throw new RangeError('the order was shipped');
};
const parameters = z.object({ order: z.string() });
const cancel = tool({ name: 'cancel', description: 'Cancels', parameters, execute: fail });
const recall = tool({
  ...{ name: 'recall', description: 'Recalls', parameters, execute: fail },
  errorFunction: () => 'it is on its way',
});
const search = tool({
  ...{ name: 'search', description: 'Searches', parameters: z.object({}) },
  execute: async () => 'A-1, A-2',
});

const FREE = {
  ...{ name: 'guarded', description: 'Refunds', parameters: z.object({}) },
  execute: async () => 'refunded',
};

const REFUND = call('refund', { order: 'A-1', amount: '49.00', sure: 0.9 }, 'c-1');
const SECOND = call('refund', { order: 'A-2', amount: '5.00', sure: 0.7 }, 'c-2');
const LARGE = call('refund', { order: 'A-6', amount: '980.00', sure: 0.6 }, 'c-6');
const FAILING = call('cancel', { order: 'A-3' }, 'c-3');
const SEARCH = call('search', {}, 'c-4');
const RECALL = call('recall', { order: 'A-5' }, 'c-5');
const DONE = [text('done')];

const agentThat = (...turns: readonly Turn[]) =>
  new Agent({
    name: 'refund-boss',
    model: scripted(...turns),
    tools: [refund, cancel, recall, search],
  });

function setUp(options: Partial<AgentOptions> = {}) {
  const ledger = new TestLedger();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const runner = new Runner();
  const base = { ledger, agent: 'refund-agent', confidence: fixed(0.8), warn };
  const { reject, stopped } = recordRunner(runner, { ...base, ...options });
  const recorded = async () => {
    await ledger.flush();
    expect(warnings).toEqual([]);
    return ledger.recorded;
  };
  return { runner, reject, stopped, recorded };
}

describe('the OpenAI Agents SDK', () => {
  it('A tool call is a decision, and a turn of the model is none', async () => {
    const { runner, recorded } = setUp({ confidence: stated('inputs.sure') });
    await runner.run(agentThat([REFUND], DONE), 'go');
    const decisions = await recorded();
    expect(decisions).toMatchObject([
      {
        agent_id: 'refund-boss',
        action_type: 'refund',
        inputs: { order: 'A-1', amount: '49.00' },
        outputs: { refunded: '49.00' },
        confidence: 0.9,
      },
    ]);
    expect(decisions[0]?.metadata).toEqual({
      ...{ tool_call_id: 'c-1', outcome: 'done', confidence_source: 'rule' },
    });
  });

  it('A tool that fails is recorded as failed', async () => {
    const { runner, recorded } = setUp();
    await runner.run(agentThat([FAILING], DONE), 'go');
    const message = 'An error occurred while running the tool. Please try again.';
    expect(await recorded()).toMatchObject([
      { action_type: 'cancel', outputs: { status: 'failed', error: { message } } },
    ]);
  });

  it('Tools that run side by side are recorded each with its own result, except those that only read', async () => {
    const { runner, recorded } = setUp({ readOnly: ['search'] });
    await runner.run(agentThat([REFUND, SECOND, FAILING, SEARCH], DONE), 'go');
    const found = (await recorded()).map(({ inputs, outputs }) => [inputs.order, outputs]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        ['A-1', { refunded: '49.00' }],
        ['A-2', { refunded: '5.00' }],
        ['A-3', expect.objectContaining({ status: 'failed' })],
      ]),
    );
  });

  it('A streamed run records the same as one that is not streamed', async () => {
    const { runner, recorded } = setUp();
    const result = await runner.run(agentThat([REFUND], DONE), 'go', { stream: true });
    for await (const event of result) expect(event.type).toBeDefined();
    await result.completed;
    expect(await recorded()).toMatchObject([{ outputs: { refunded: '49.00' } }]);
  });

  it('A handoff and a final output are recorded on request', async () => {
    const run = async (also: NonNullable<AgentOptions['also']>) => {
      const { runner, recorded } = setUp({ also });
      const billing = new Agent({
        name: 'billing',
        model: scripted([SECOND], DONE),
        tools: [refund],
      });
      const transfer = call('transfer_to_billing', {}, 'c-7');
      const model = scripted([transfer]);
      await runner.run(new Agent({ name: 'desk', model, handoffs: [billing] }), 'go');
      return (await recorded()).map((one) => [one.agent_id, one.action_type, one.outputs]);
    };
    const refunded = ['billing', 'refund', { refunded: '5.00' }];
    expect(await run([])).toEqual([refunded]);
    expect(await run(['handoff', 'final_output'])).toEqual([
      ['desk', 'handoff', { handed_to: ['billing'] }],
      refunded,
      ['billing', 'final_output', { value: 'done' }],
    ]);
  });

  it('A guardrail that stops a run is recorded on request, once', async () => {
    const info = { score: 0.97, topic: 'weapons' };
    const stop = async () => ({ tripwireTriggered: true, outputInfo: info });
    const before = { name: 'topics', execute: stop, runInParallel: false };
    const after = { name: 'tone', execute: stop };
    const toolGuardrail = defineToolInputGuardrail({
      name: 'limits',
      run: async () => ToolGuardrailFunctionOutputFactory.throwException(info),
    });
    const guarded = tool({ ...FREE, inputGuardrails: [toolGuardrail] });
    const stopped = async (
      also: NonNullable<AgentOptions['also']>,
      parts: { readonly input?: boolean; readonly output?: boolean },
    ) => {
      const { runner, stopped: note, recorded } = setUp({ also });
      const agent = new Agent({
        name: 'desk',
        model: scripted([call('guarded', {}, 'c-8')], DONE),
        tools: [parts.input || parts.output ? tool(FREE) : guarded],
        inputGuardrails: parts.input ? [before] : [],
        outputGuardrails: parts.output ? [after] : [],
      });
      const error: unknown = await runner.run(agent, 'go').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      note(error);
      note(error);
      note(new Error('another'));
      note(undefined);
      const decisions = await recorded();
      return decisions
        .filter(({ action_type }) => action_type === 'guardrail')
        .map(({ agent_id, inputs, outputs }) => [agent_id, inputs, outputs]);
    };
    const outputs = { stopped: true, info };
    expect(await stopped([], { input: true })).toEqual([]);
    const requested = [{ input: true }, { output: true }, {}];
    const found = await Promise.all(requested.map((parts) => stopped(['guardrail'], parts)));
    expect(found).toEqual([
      [['desk', { guardrail: 'topics', checked: 'input' }, outputs]],
      [['desk', { guardrail: 'tone', checked: 'output' }, outputs]],
      [['desk', { guardrail: 'limits', checked: 'tool_input' }, outputs]],
    ]);
  });

  it.each(TROUBLED)('A run is the same with a ledger that $trouble', async ({ open }) => {
    const { ledger, close } = open();
    const runner = new Runner();
    const options = { ledger, agent: 'refund-agent', warn: () => undefined };
    recordRunner(runner, { ...options, confidence: fixed(0.8), also: ['handoff', 'final_output'] });
    const outcome = async (given: Runner) => {
      const { history, finalOutput } = await given.run(agentThat([REFUND, FAILING], DONE), 'go');
      return { history, finalOutput };
    };
    expect(await outcome(runner)).toEqual(await outcome(new Runner()));
    const stream = async (given: Runner) => {
      const agent = agentThat([REFUND, FAILING], DONE);
      const result = await given.run(agent, 'go', { stream: true });
      const events: string[] = [];
      for await (const event of result) events.push(event.type);
      await result.completed;
      return { events, history: result.history };
    };
    expect(await stream(runner)).toEqual(await stream(new Runner()));
    await close();
  });
});

describe('a person who is asked by the OpenAI Agents SDK', () => {
  it('An approved call is one decision, in which a person took part, also in another process', async () => {
    const first = setUp();
    const agent = agentThat([LARGE, SECOND], DONE);
    const { state } = await first.runner.run(agent, 'go');
    const stored = state.toString();
    expect(await first.recorded()).toMatchObject([{ inputs: { order: 'A-2' } }]);

    const second = setUp();
    const restored = await RunState.fromString(agent, stored);
    for (const item of restored.getInterruptions()) restored.approve(item);
    const { finalOutput } = await second.runner.run(agent, restored);
    expect(finalOutput).toBe('done');
    expect(await second.recorded()).toMatchObject([
      { inputs: { order: 'A-6' }, outputs: { refunded: '980.00' }, human_in_loop: true },
    ]);
    expect((await first.recorded())[0]).not.toHaveProperty('human_in_loop');
  });

  it('A rejected call is a decision of the person, and the model gets the message', async () => {
    const { runner, reject, recorded } = setUp();
    const agent = agentThat([LARGE], DONE);
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const item of interruptions) reject(state, item, { message: 'not damaged' });
    const { history } = await runner.run(agent, state);
    expect(JSON.stringify(history)).toContain('not damaged');
    expect(await recorded()).toMatchObject([
      {
        agent_id: 'refund-boss',
        action_type: 'refund',
        inputs: { order: 'A-6' },
        outputs: { approved: false, reason: 'not damaged' },
        human_in_loop: true,
        metadata: { tool_call_id: 'c-6' },
      },
    ]);
  });
});

describe('a traced run of the OpenAI Agents SDK', () => {
  beforeAll(() => {
    setTraceProcessors([]);
    setTracingDisabled(false);
  });
  afterAll(() => setTracingDisabled(true));

  it('The ids of its trace and spans are in the metadata, and a failure is known by its span', async () => {
    const { runner, recorded } = setUp();
    await runner.run(agentThat([REFUND, RECALL], DONE), 'go');
    const decisions = await recorded();
    expect(decisions.find((one) => one.action_type === 'recall')?.outputs).toEqual({
      status: 'failed',
      error: { type: 'Error', message: 'it is on its way' },
    });
    const [first, second] = decisions.map(({ metadata }) => metadata);
    expect(first).toMatchObject({
      trace_id: expect.stringMatching(/^trace_/),
      span_id: expect.stringMatching(/^span_/),
    });
    expect(second?.trace_id).toBe(first?.trace_id);
    expect(second?.span_id).not.toBe(first?.span_id);
  });
});
