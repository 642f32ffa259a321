import {
  type AgentOptions,
  type RecordedSession,
  recordSession,
  type ToolHookInput,
} from '@decision-ledger/client/claude-agent';
import { fixed, stated } from '@decision-ledger/client/confidence';
import { TestLedger } from '@decision-ledger/client/testing';
import { expect, it } from 'vitest';
import { TROUBLED } from './support/troubled.js';

// The SDK runs a program of its own, which needs an account: its hooks are called here as it calls them.

function setUp(options: Partial<AgentOptions> = {}) {
  const ledger = new TestLedger();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const base = { ledger, agent: 'refund-agent', confidence: fixed(0.8), warn };
  const session = recordSession({ ...base, ...options });
  const recorded = async () => {
    await ledger.flush();
    expect(warnings).toEqual([]);
    return ledger.recorded;
  };
  return { session, recorded };
}

const CALL = {
  session_id: 's-1',
  prompt_id: 'p-1',
  tool_name: 'mcp__shop__refund',
  tool_input: { order: 'A-1', amount: '49.00', sure: 0.9 },
  tool_use_id: 'c-1',
};
const DONE: ToolHookInput = {
  ...CALL,
  hook_event_name: 'PostToolUse',
  tool_response: { refunded: '49.00' },
};
const FAILED: ToolHookInput = {
  ...CALL,
  hook_event_name: 'PostToolUseFailure',
  error: 'the order was shipped',
};
const DENIED: ToolHookInput = {
  ...CALL,
  hook_event_name: 'PermissionDenied',
  reason: 'not allowed',
};

/** Calls the hooks of an event, as the SDK does. */
async function fire({ hooks }: RecordedSession, input: ToolHookInput) {
  const event = input.hook_event_name;
  if (event !== 'PostToolUse' && event !== 'PostToolUseFailure' && event !== 'PermissionDenied') {
    throw new Error(`no hooks for ${event}`);
  }
  return Promise.all(hooks[event].flatMap((matcher) => matcher.hooks.map((hook) => hook(input))));
}

it('A tool call of the Claude Agent SDK is a decision', async () => {
  const { session, recorded } = setUp({ confidence: stated('inputs.sure') });
  expect(await fire(session, DONE)).toEqual([{}]);
  const [decision, ...more] = await recorded();
  expect(more).toEqual([]);
  expect(decision).toMatchObject({
    agent_id: 'refund-agent',
    action_type: 'mcp__shop__refund',
    inputs: { order: 'A-1' },
    outputs: { refunded: '49.00' },
    confidence: 0.9,
  });
  expect(decision).not.toHaveProperty('human_in_loop');
  expect(decision?.metadata).toEqual({
    ...{ tool_call_id: 'c-1', session_id: 's-1', prompt_id: 'p-1', confidence_source: 'rule' },
    outcome: 'done',
  });
});

it('A call that fails and one that is not allowed are recorded as such, and subagents by their kind', async () => {
  const { session, recorded } = setUp();
  await fire(session, { ...FAILED, agent_type: 'reviewer' });
  await fire(session, { ...DENIED, tool_use_id: 'c-2' });
  expect(await recorded()).toMatchObject([
    {
      agent_id: 'reviewer',
      outputs: { status: 'failed', error: { message: 'the order was shipped' } },
    },
    { agent_id: 'refund-agent', outputs: { approved: false, reason: 'not allowed' } },
  ]);
});

it('A person’s answer is passed on unchanged; an approval counts with its call, a rejection at once', async () => {
  const { session, recorded } = setUp();
  const allow = { behavior: 'allow' as const };
  const deny = { behavior: 'deny' as const, message: 'not damaged' };
  const ask = session.asked(async (_tool, input, _options: { toolUseID: string }) =>
    input.order === 'A-1' ? allow : deny,
  );
  expect(await ask('refund', { order: 'A-1' }, { toolUseID: 'c-1' })).toBe(allow);
  expect(await ask('refund', { order: 'A-2' }, { toolUseID: 'c-2' })).toBe(deny);
  await fire(session, DONE);
  await fire(session, { ...DENIED, tool_use_id: 'c-2' });
  await fire(session, { ...DONE, tool_use_id: 'c-3' });
  const decisions = await recorded();
  expect(decisions).toMatchObject([
    {
      inputs: { order: 'A-2' },
      outputs: { approved: false, reason: 'not damaged' },
      human_in_loop: true,
    },
    { outputs: { refunded: '49.00' }, human_in_loop: true },
    { metadata: { tool_call_id: 'c-3' } },
  ]);
  expect(decisions[2]).not.toHaveProperty('human_in_loop');
});

it.each(TROUBLED)('The hooks answer the same with a ledger that $trouble', async ({ open }) => {
  const { ledger, close } = open();
  const options = { ledger, agent: 'refund-agent', warn: () => undefined };
  const session = recordSession({ ...options, confidence: fixed(0.8) });
  for (const input of [DONE, FAILED, DENIED]) expect(await fire(session, input)).toEqual([{}]);
  await close();
});
