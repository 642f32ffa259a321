import { fixed, stated } from '@decision-ledger/client/confidence';
import { type AgentOptions, LedgerHandler } from '@decision-ledger/client/langchain';
import { TestLedger } from '@decision-ledger/client/testing';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type AgentMiddleware, AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reviewRefunds } from './support/review.js';
import { TROUBLED } from './support/troubled.js';

const refund = tool(({ amount }) => ({ refunded: amount }), {
  name: 'refund',
  schema: z.object({ order: z.string(), amount: z.string(), sure: z.number().optional() }),
});
const cancel = tool(
  () => {
    throw new RangeError('the order was shipped');
  },
  { name: 'cancel', schema: z.object({ order: z.string() }) },
);
const search = tool(() => 'A-1, A-2', { name: 'search', schema: z.object({}) });
const ask = tool(({ order }) => `a person said ${JSON.stringify(interrupt({ order }))}`, {
  name: 'ask',
  schema: z.object({ order: z.string() }),
});
const tools = [refund, cancel, search, ask];

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id: string;
}

const REFUND: Call = {
  name: 'refund',
  args: { order: 'A-1', amount: '49.00', sure: 0.9 },
  id: 'c-1',
};
const SECOND: Call = { name: 'refund', args: { order: 'A-2', amount: '5.00' }, id: 'c-2' };
const FAILING: Call = { name: 'cancel', args: { order: 'A-3' }, id: 'c-3' };
const SEARCH: Call = { name: 'search', args: {}, id: 'c-4' };
const ASK: Call = { name: 'ask', args: { order: 'A-5' }, id: 'c-5' };

/** An agent whose model calls the tools once, and is done then. */
function agentThat(calls: readonly Call[], middleware: readonly AgentMiddleware[] = []) {
  return createAgent({
    name: 'refund-boss',
    model: fakeModel()
      .respondWithTools([...calls])
      .respond(new AIMessage('done')),
    tools,
    checkpointer: new MemorySaver(),
    middleware,
  });
}

function setUp(options: Partial<AgentOptions> = {}) {
  const ledger = new TestLedger();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const base = { ledger, agent: 'refund-agent', confidence: fixed(0.8), warn };
  const handler = new LedgerHandler({ ...base, ...options });
  const recorded = async () => {
    await ledger.flush();
    expect(warnings).toEqual([]);
    return ledger.recorded;
  };
  return { handler, recorded };
}

const START_MESSAGES = { messages: [{ role: 'user', content: 'go' }] };
const config = (handler?: LedgerHandler) => ({
  configurable: { thread_id: 'thread-1' },
  ...(handler !== undefined && { callbacks: [handler] }),
});

/** What the caller of an agent sees. */
function seen({ messages }: { messages: readonly { type: string; content: unknown }[] }) {
  return messages.map(({ type, content }) => [type, content]);
}

describe('an agent of LangChain', () => {
  it('A tool call is a decision, and a turn of the model is none', async () => {
    const { handler, recorded } = setUp({ confidence: stated('inputs.sure') });
    await agentThat([REFUND]).invoke(START_MESSAGES, config(handler));
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
      tool_call_id: 'c-1',
      run_id: expect.any(String),
      parent_run_id: expect.any(String),
      thread_id: 'thread-1',
      graph_node: 'tools',
      outcome: 'done',
      confidence_source: 'rule',
    });
  });

  it('A tool that fails is recorded with its error, and the model gets the error as without a ledger', async () => {
    const { handler, recorded } = setUp();
    const [plain, with_] = await Promise.all([
      agentThat([FAILING]).invoke(START_MESSAGES, config()),
      agentThat([FAILING]).invoke(START_MESSAGES, config(handler)),
    ]);
    expect(seen(with_)).toEqual(seen(plain));
    const error = { type: 'RangeError', message: 'the order was shipped' };
    expect(await recorded()).toMatchObject([
      { action_type: 'cancel', outputs: { status: 'failed', error } },
    ]);
  });

  it('Tools that run side by side are recorded each with its own result, except those that only read', async () => {
    const { handler, recorded } = setUp({ readOnly: ['search'] });
    await agentThat([REFUND, SECOND, FAILING, SEARCH]).invoke(START_MESSAGES, config(handler));
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
    const { handler, recorded } = setUp();
    const chunks = await agentThat([REFUND]).stream(START_MESSAGES, config(handler));
    for await (const chunk of chunks) expect(chunk).toBeDefined();
    expect(await recorded()).toMatchObject([{ outputs: { refunded: '49.00' } }]);
  });

  it('What it says last is recorded on request, once', async () => {
    const { handler, recorded } = setUp({ also: ['final_output'] });
    await agentThat([REFUND]).invoke(START_MESSAGES, config(handler));
    expect((await recorded()).map((one) => [one.action_type, one.outputs])).toEqual([
      ['refund', { refunded: '49.00' }],
      ['final_output', { value: 'done' }],
    ]);
  });

  it.each(TROUBLED)('Its run is the same with a ledger that $trouble', async ({ open }) => {
    const { ledger, close } = open();
    const options = { ledger, agent: 'refund-agent', warn: () => undefined };
    const handler = new LedgerHandler({ ...options, confidence: fixed(0.8) });
    const run = (given?: LedgerHandler) =>
      agentThat([REFUND, FAILING]).invoke(START_MESSAGES, config(given));
    expect(seen(await run(handler))).toEqual(seen(await run()));
    const stream = async (given?: LedgerHandler) => {
      const chunks: unknown[] = [];
      const values = { ...config(given), streamMode: 'values' as const };
      for await (const chunk of await agentThat([REFUND, FAILING]).stream(START_MESSAGES, values)) {
        chunks.push(seen(chunk));
      }
      return chunks;
    };
    expect(await stream(handler)).toEqual(await stream());
    await close();
  });
});

describe('a person who reviews tool calls', () => {
  const review = async (calls: readonly Call[], decisions: readonly object[]) => {
    const { handler, recorded } = setUp();
    const agent = agentThat(calls, [reviewRefunds()]);
    const waiting = await agent.invoke(START_MESSAGES, config(handler));
    const { __interrupt__ } = z
      .object({ __interrupt__: z.array(z.object({ id: z.string(), value: z.unknown() })) })
      .parse(waiting);
    expect(await recorded()).toEqual([]);
    const resume = handler.answered(__interrupt__, { decisions });
    const result = await agent.invoke(new Command({ resume }), config(handler));
    return { recorded: await recorded(), messages: seen(result) };
  };

  it('An approved call is one decision, in which a person took part', async () => {
    const { recorded } = await review([REFUND], [{ type: 'approve' }]);
    expect(recorded).toMatchObject([
      { action_type: 'refund', outputs: { refunded: '49.00' }, human_in_loop: true },
    ]);
  });

  it('Of calls that are the same, each needs an approval of its own', async () => {
    const again = { ...REFUND, id: 'c-8' };
    const approve = { type: 'approve' };
    const { recorded } = await review([REFUND, again], [approve, approve]);
    expect(recorded.map((one) => one.human_in_loop)).toEqual([true, true]);
  });

  it('A call that a person changed is recorded as it ran', async () => {
    const args = { order: 'A-1', amount: '10.00' };
    const { recorded } = await review(
      [REFUND],
      [{ type: 'edit', editedAction: { name: 'refund', args } }],
    );
    expect(recorded).toMatchObject([
      { inputs: args, outputs: { refunded: '10.00' }, human_in_loop: true },
    ]);
  });

  it('A rejected call is a decision of the person', async () => {
    const { recorded, messages } = await review(
      [REFUND],
      [{ type: 'reject', message: 'not damaged' }],
    );
    expect(recorded).toMatchObject([
      {
        action_type: 'refund',
        inputs: { order: 'A-1' },
        outputs: { approved: false, reason: 'not damaged' },
        human_in_loop: true,
      },
    ]);
    expect(messages).toContainEqual(['tool', 'not damaged']);
  });

  it('A tool that asks by itself is recorded once, when it got its answer', async () => {
    const { handler, recorded } = setUp({ also: ['final_output'] });
    const agent = agentThat([ASK, SECOND]);
    const waiting = await agent.invoke(START_MESSAGES, config(handler));
    expect((await recorded()).map((one) => one.action_type)).toEqual(['refund']);
    const { __interrupt__ } = z
      .object({ __interrupt__: z.array(z.object({ id: z.string(), value: z.unknown() })) })
      .parse(waiting);
    const resume = handler.answered(__interrupt__, 'yes');
    await agent.invoke(new Command({ resume }), config(handler));
    expect((await recorded()).slice(1)).toMatchObject([
      {
        action_type: 'ask',
        outputs: { value: 'a person said "yes"' },
        human_in_loop: true,
      },
      { action_type: 'final_output', outputs: { value: 'done' } },
    ]);
  });
});

describe('a graph of LangGraph', () => {
  const State = Annotation.Root({ order: Annotation<string>, approved: Annotation<boolean> });

  it('The answer to a question of a node is a decision', async () => {
    const { handler, recorded } = setUp();
    const graph = new StateGraph(State)
      .addNode('review', ({ order }) => ({ approved: interrupt({ order, amount: '49.00' }) }))
      .addEdge(START, 'review')
      .addEdge('review', END)
      .compile({ checkpointer: new MemorySaver() });
    const waiting = await graph.invoke({ order: 'A-1' }, config(handler));
    const { __interrupt__ } = z
      .object({ __interrupt__: z.array(z.object({ id: z.string(), value: z.unknown() })) })
      .parse(waiting);
    const resume = handler.answered(__interrupt__, true, 'approve_refund');
    const result = await graph.invoke(new Command({ resume }), config(handler));
    expect(result).toEqual({ order: 'A-1', approved: true });
    expect(await recorded()).toMatchObject([
      {
        agent_id: 'refund-agent',
        action_type: 'approve_refund',
        inputs: { order: 'A-1', amount: '49.00' },
        outputs: { approved: true },
        human_in_loop: true,
        metadata: { interrupt_id: __interrupt__[0]?.id },
      },
    ]);
  });

  it('A tool in a node is recorded, and a handoff only on request', async () => {
    const transfer = tool(() => new Command({ goto: 'billing', update: { order: 'A-9' } }), {
      name: 'transfer_to_billing',
      schema: z.object({}),
    });
    const run = async (also: AgentOptions['also']) => {
      const { handler, recorded } = setUp({ ...(also !== undefined && { also }) });
      const graph = new StateGraph(State)
        .addNode('desk', async () => transfer.invoke({}), { ends: ['billing'] })
        .addNode('billing', async ({ order }) => {
          await refund.invoke({ order, amount: '1.00' });
          return {};
        })
        .addEdge(START, 'desk')
        .compile();
      await graph.invoke({ order: 'A-1' }, config(handler));
      return (await recorded()).map(({ action_type, outputs }) => [action_type, outputs]);
    };
    const refunded = ['refund', { refunded: '1.00' }];
    expect(await run(undefined)).toEqual([refunded]);
    expect(await run(['handoff'])).toEqual([
      ['transfer_to_billing', { handed_to: ['billing'] }],
      refunded,
    ]);
  });
});
