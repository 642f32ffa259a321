import { recordSession, type ToolHookInput } from '@decision-ledger/client/claude-agent';
import { fixed } from '@decision-ledger/client/confidence';
import { LedgerHandler } from '@decision-ledger/client/langchain';
import { recordRunner } from '@decision-ledger/client/openai-agents';
import { TestLedger } from '@decision-ledger/client/testing';
import { Command, MemorySaver } from '@langchain/langgraph';
import {
  Agent,
  tool as agentTool,
  type FunctionCallItem,
  type Model,
  Runner,
  Usage,
} from '@openai/agents';
import { type AgentMiddleware, AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { casesOf, formOf, type Report } from '../../../contract/test/support/outcome-cases.js';
import { reviewRefunds } from './support/review.js';

/** Has a framework run the tool `refund` as a report says. */
type Run = (options: Options, report: Report) => Promise<unknown>;
type Options = Parameters<typeof recordRunner>[1];

const ARGS = { order: 'A-1', amount: '980.00' };
const parameters = z.object({ order: z.string(), amount: z.string() });

/** What the tool does when it is called. */
function perform({ returned, raised }: Report): unknown {
  if (raised !== undefined) throw new RangeError(raised);
  return returned;
}

const claude: Run = async (options, report) => {
  const session = recordSession(options);
  const call = { session_id: 's', tool_name: 'refund', tool_input: ARGS, tool_use_id: 'c-1' };
  const fire = (event: keyof typeof session.hooks, rest: Partial<ToolHookInput>) =>
    session.hooks[event][0]?.hooks[0]?.({ ...call, hook_event_name: event, ...rest });
  const { returned, raised, rejected, blocked } = report;
  if (raised !== undefined) return fire('PostToolUseFailure', { error: raised });
  if (blocked !== undefined) return fire('PermissionDenied', { reason: blocked });
  if (rejected === undefined) return fire('PostToolUse', { tool_response: returned });
  const answer = { behavior: 'deny', message: rejected };
  return session.asked(async () => answer)('refund', ARGS, { toolUseID: 'c-1' });
};

const langchain: Run = async (options, report) => {
  const handler = new LedgerHandler(options);
  const refund = tool(() => perform(report), { name: 'refund', schema: parameters });
  const { rejected } = report;
  const middleware: AgentMiddleware[] = rejected === undefined ? [] : [reviewRefunds()];
  const agent = createAgent({
    model: fakeModel()
      .respondWithTools([{ name: 'refund', args: ARGS, id: 'c-1' }])
      .respond(new AIMessage('done')),
    tools: [refund],
    checkpointer: new MemorySaver(),
    middleware,
  });
  const config = { configurable: { thread_id: 't' }, callbacks: [handler] };
  const asked = { messages: [{ role: 'user', content: 'go' }] };
  const waiting = await agent.invoke(asked, config).catch(() => undefined);
  if (rejected === undefined) return;
  const answer = { decisions: [{ type: 'reject', message: rejected }] };
  const interrupts: unknown = Reflect.get(Object(waiting), '__interrupt__');
  const given = Array.isArray(interrupts) ? interrupts : [];
  await agent.invoke(new Command({ resume: handler.answered(given, answer) }), config);
};

/** Calls the tool once, then says nothing. */
function scripted(): Model {
  const call: FunctionCallItem = {
    ...{ type: 'function_call', callId: 'c-1', name: 'refund', status: 'completed' },
    arguments: JSON.stringify(ARGS),
  };
  const turns: FunctionCallItem[][] = [[call]];
  return {
    getResponse: async () => ({
      usage: new Usage(),
      output: turns.shift() ?? [
        {
          ...{ type: 'message', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'done' }],
        },
      ],
    }),
    getStreamedResponse: () => {
      throw new Error('nothing is streamed');
    },
  };
}

const openai: Run = async (options, report) => {
  const runner = new Runner({ tracingDisabled: true });
  const recorded = recordRunner(runner, options);
  const { rejected } = report;
  const refund = agentTool({
    ...{ name: 'refund', description: 'Refunds an order', parameters },
    needsApproval: rejected !== undefined,
    execute: async () => perform(report),
  });
  const agent = new Agent({ name: 'desk', model: scripted(), tools: [refund] });
  const { state, interruptions } = await runner.run(agent, 'go');
  for (const item of interruptions) recorded.reject(state, item, { message: rejected ?? '' });
  if (interruptions.length > 0) await runner.run(agent, state);
};

describe.for([
  ['claude-agent', claude],
  ['langchain', langchain],
  ['openai-agents', openai],
] as const)('%s records as the cases say', ([way, run]) => {
  it.for(casesOf(way).map((one) => [one.name, one] as const))(
    'The decision is as the case says: %s',
    async ([_name, one]) => {
      const ledger = new TestLedger();
      const warnings: string[] = [];
      const warn = (message: string) => warnings.push(message);
      await run({ ledger, agent: 'desk', confidence: fixed(0.8), warn }, one.report);
      await ledger.flush();
      expect(warnings).toEqual([]);
      const { outputs, stated } = one;
      expect(ledger.recorded.map(formOf)).toEqual([{ outputs, stated }]);
    },
  );
});
