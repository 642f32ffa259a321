import { fixed } from '@decision-ledger/client/confidence';
import { LedgerHandler } from '@decision-ledger/client/langchain';
import { recordRunner } from '@decision-ledger/client/openai-agents';
import { TestLedger } from '@decision-ledger/client/testing';
import { Agent, tool as agentTool, type Model, Runner, Usage } from '@openai/agents';
import { AIMessage, createAgent, fakeModel, tool as graphTool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HOSTILE, outcomeOf } from './support/hostile.js';

const options = (ledger: TestLedger) => ({ ledger, agent: 'a', confidence: fixed(0.8) });
const schema = z.object({ order: z.string() });

async function runGraph(give: () => unknown, handlers: LedgerHandler[]) {
  const refund = graphTool(give, { name: 'refund', schema });
  const model = fakeModel()
    .respondWithTools([{ name: 'refund', args: { order: 'A-1' }, id: 'c-1' }])
    .respond(new AIMessage('done'));
  const agent = createAgent({ model, tools: [refund] });
  const input = { messages: [{ role: 'user', content: 'go' }] };
  const { messages } = await agent.invoke(input, { callbacks: handlers });
  return messages.map(({ content }) => content);
}

async function runAgent(give: () => unknown, runner: Runner, signal?: AbortSignal) {
  const status = 'completed' as const;
  const turns = [
    [
      {
        ...{ type: 'function_call' as const, callId: 'c-1', name: 'refund', status },
        arguments: '{"order":"A-1"}',
      },
    ],
    [
      {
        ...{ type: 'message' as const, role: 'assistant' as const, status },
        content: [{ type: 'output_text' as const, text: 'done' }],
      },
    ],
  ];
  const model: Model = {
    getResponse: async () => ({ usage: new Usage(), output: turns.shift() ?? [] }),
    // biome-ignore lint/correctness/useYield: no run of this test streams
    async *getStreamedResponse() {
      throw new Error('not streamed');
    },
  };
  const refund = agentTool({
    ...{ name: 'refund', description: 'Refunds', parameters: schema },
    execute: async () => give(),
  });
  const agent = new Agent({ name: 'desk', model, tools: [refund] });
  const { history, finalOutput } = await runner.run(agent, 'go', { ...(signal && { signal }) });
  return { history, finalOutput };
}

describe.each(Object.entries(HOSTILE))('A tool that gives %s', (_name, give) => {
  it('A run of LangChain ends as it does without the ledger, and is one decision', async () => {
    const ledger = new TestLedger({ onError: () => undefined });
    const handler = new LedgerHandler(options(ledger));
    const plain = await outcomeOf(() => runGraph(give, []));
    expect(await outcomeOf(() => runGraph(give, [handler]))).toBe(plain);
    const { accepted, failed } = await ledger.close();
    expect(accepted + failed).toBe(1);
  });

  it('A run of the OpenAI Agents SDK ends as it does without the ledger', async () => {
    const ledger = new TestLedger({ onError: () => undefined });
    const runner = new Runner({ tracingDisabled: true });
    recordRunner(runner, options(ledger));
    const plain = await outcomeOf(() => runAgent(give, new Runner({ tracingDisabled: true })));
    expect(await outcomeOf(() => runAgent(give, runner))).toBe(plain);
    await ledger.close();
    expect(ledger.recorded.length).toBeLessThanOrEqual(1);
  });
});

it('Runs side by side on one recorder keep their own inputs and outputs', async () => {
  const ledger = new TestLedger();
  const handler = new LedgerHandler(options(ledger));
  const runner = new Runner({ tracingDisabled: true });
  recordRunner(runner, options(ledger));
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  await Promise.all(
    numbers.flatMap((n) => [
      runGraph(() => ({ graph: n }), [handler]),
      runAgent(() => ({ desk: n }), runner),
    ]),
  );
  await ledger.close();
  const found = ledger.recorded.map(({ outputs }) => JSON.stringify(outputs)).sort();
  const expected = numbers.flatMap((n) => [`{"graph":${n}}`, `{"desk":${n}}`]).sort();
  expect(found).toEqual(expected);
});

it('A run that is aborted in a tool ends as it does without the ledger, which keeps working', async () => {
  const ledger = new TestLedger();
  const runner = new Runner({ tracingDisabled: true });
  recordRunner(runner, options(ledger));
  const aborted = (given: Runner) => {
    const control = new AbortController();
    const give = () => {
      control.abort(new Error('the person left'));
      return { refunded: '49.00' };
    };
    return outcomeOf(() => runAgent(give, given, control.signal));
  };
  expect(await aborted(runner)).toBe(await aborted(new Runner({ tracingDisabled: true })));
  await runAgent(() => ({ refunded: '5.00' }), runner);
  await ledger.close();
  expect(ledger.recorded.at(-1)).toMatchObject({ outputs: { refunded: '5.00' } });
});

it('A ledger that answers 401 or garbage in the middle of a run changes nothing, and holds nothing up', async () => {
  const answers: readonly Pick<Response, 'status' | 'text'>[] = [
    { status: 401, text: async () => '{"error":{"code":"unauthorized","message":"no"}}' },
    { status: 200, text: async () => '<html>' },
    { status: 201, text: async () => '{"data":{"decisions":[{"seq":-1}]}}' },
    { status: 302, text: async () => '' },
  ];
  let sent = 0;
  const ledger = new TestLedger({
    lingerMs: 0,
    onError: () => undefined,
    fetch: async () => {
      const answer = answers[sent % answers.length];
      sent += 1;
      return new Response(await answer?.text(), { status: answer?.status ?? 500 });
    },
  });
  const runner = new Runner({ tracingDisabled: true });
  recordRunner(runner, options(ledger));
  const handler = new LedgerHandler(options(ledger));
  const give = () => ({ refunded: '49.00' });
  for (let run = 0; run < 4; run += 1) {
    const plain = await runAgent(give, new Runner({ tracingDisabled: true }));
    expect(await runAgent(give, runner)).toEqual(plain);
    expect(await runGraph(give, [handler])).toEqual(await runGraph(give, []));
  }
  await ledger.close({ timeoutMs: 50 }).catch(() => undefined);
  expect(sent).toBeGreaterThan(0);
});
