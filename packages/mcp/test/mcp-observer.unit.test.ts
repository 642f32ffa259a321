import type { DecisionToRecord } from '@decision-ledger/client';
import { LineReader } from '@decision-ledger/mcp/lines';
import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { describe, expect, it } from 'vitest';

const FIXED = { confidence: ['fixed:0.5'] };
type Tools = ConstructorParameters<typeof ToolRules>[0];

/** An observer with what it records and says. */
function observe(tools: Tools = { '*': FIXED }) {
  const decisions: (DecisionToRecord & { at: number })[] = [];
  const warnings: string[] = [];
  let now = 0;
  const observer = new Observer({
    agentId: 'agent',
    rules: new ToolRules(tools),
    now: () => ++now,
    record: (decision, at) => void decisions.push({ ...decision, at }),
    warn: (text) => void warnings.push(text),
  });
  const call = (id: unknown, name: string, input?: unknown) =>
    observer.sent(message({ id, method: 'tools/call', params: { name, arguments: input } }));
  const answer = (id: unknown, result: unknown) => observer.received(message({ id, result }));
  return { observer, decisions, warnings, call, answer };
}

function message(members: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...members });
}

describe('Calls and results', () => {
  it('A result belongs to the call of its id, in any order, and 1 is not "1"', () => {
    const { call, answer, decisions } = observe();
    call(1, 'pay', { n: 1 });
    call('1', 'pay', { n: 2 });
    answer('1', { content: ['two'] });
    answer(1, { content: ['one'] });
    answer(1, { content: ['again'] });
    expect(decisions).toMatchObject([
      { inputs: { n: 2 }, outputs: { content: ['two'] }, at: 2 },
      { inputs: { n: 1 }, outputs: { content: ['one'] }, at: 1 },
    ]);
    expect(decisions[0]).toMatchObject({ agent_id: 'agent', action_type: 'pay', confidence: 0.5 });
  });

  it('A request of the server with the id of a call is no answer', () => {
    const { observer, call, answer, decisions } = observe();
    call(1, 'pay');
    observer.received(message({ id: 1, method: 'sampling/createMessage', params: {} }));
    expect(decisions).toEqual([]);
    answer(1, {});
    expect(decisions).toMatchObject([{ inputs: {}, outputs: {} }]);
  });

  it('A batch has several calls and answers', () => {
    const { observer, decisions } = observe();
    const call = (id: number) => ({ id, method: 'tools/call', params: { name: `t${id}` } });
    observer.sent(JSON.stringify([call(1), call(2), 3, null]));
    observer.received(
      JSON.stringify([
        { id: 2, result: {} },
        { id: 1, error: { code: -1 } },
      ]),
    );
    expect(decisions).toMatchObject([
      { action_type: 't2', metadata: { mcp_outcome: 'result' } },
      { action_type: 't1', outputs: { error: { type: 'protocol_error', code: -1 } } },
    ]);
  });

  it('A result that asks for input is no result: the repeated call is recorded', () => {
    const { call, answer, decisions } = observe();
    call(1, 'pay');
    answer(1, { resultType: 'input_required', inputRequests: {} });
    call(2, 'pay', { n: 2 });
    answer(2, { resultType: 'complete', content: [] });
    expect(decisions).toMatchObject([{ inputs: { n: 2 } }]);
  });

  it('An id that is used again, and the end, record the calls that have no result', () => {
    const { observer, call, decisions } = observe();
    call(1, 'pay', { n: 1 });
    call(1, 'pay', { n: 2 });
    observer.end();
    expect(decisions).toMatchObject([
      { inputs: { n: 1 }, outputs: { error: { type: 'no_result' } } },
      { inputs: { n: 2 }, outputs: { error: { type: 'no_result' } } },
    ]);
  });

  it('Of more than a thousand calls without a result, the oldest is recorded without one', () => {
    const { call, decisions } = observe();
    for (let id = 0; id < 1002; id += 1) call(id, 'pay', { id });
    expect(decisions).toMatchObject([{ inputs: { id: 0 } }, { inputs: { id: 1 } }]);
  });
});

describe('Which tools', () => {
  const list = (...tools: object[]) => message({ id: 'list', result: { tools } });
  const reader = { name: 'read', annotations: { readOnlyHint: true } };

  it('A tool that the server calls read-only makes no decisions, unless the configuration says so', () => {
    for (const [decision, count] of [
      [undefined, 0],
      [true, 1],
      [false, 0],
    ] as const) {
      const rule = decision === undefined ? FIXED : { ...FIXED, decision };
      const { observer, call, answer, decisions } = observe({ read: rule });
      observer.sent(message({ id: 'list', method: 'tools/list' }));
      observer.received(list(reader));
      call(1, 'read');
      answer(1, {});
      expect(decisions).toHaveLength(count);
    }
  });

  it('A list of tools that nobody asked for says nothing', () => {
    const { observer, call, answer, decisions } = observe();
    observer.received(list(reader));
    call(1, 'read');
    answer(1, {});
    expect(decisions).toHaveLength(1);
  });

  it('The most specific entry that says anything applies', () => {
    const rules = new ToolRules({
      '*': { decision: false, confidence: ['fixed:0.1'] },
      'pay_*': { decision: true },
      pay_back: { confidence: ['fixed:0.9'] },
    });
    expect(rules.isDecision('pay_back', true)).toBe(true);
    expect(rules.isDecision('read', false)).toBe(false);
    expect(rules.confidence('pay_back', {})).toEqual({ confidence: 0.9, source: 'fixed' });
    expect(rules.confidence('pay_out', {})).toEqual({ confidence: 0.1, source: 'fixed' });
  });
});

describe('Confidence', () => {
  it.each([
    [{ sure: { how: 0.25 } }, { confidence: 0.25, source: 'argument' }],
    [{ sure: { how: '0.75' } }, { confidence: 0.75, source: 'argument' }],
    [{ sure: { how: 90 } }, 'the argument sure.how is no number from 0 to 1'],
    [{ sure: { how: 'very' } }, 'the argument sure.how is no number from 0 to 1'],
    [{}, 'no confidence is stated'],
  ])('%j states %j', (input, stated) => {
    const rules = new ToolRules({ pay: { confidence: ['argument:sure.how'] } });
    expect(rules.confidence('pay', input)).toEqual(stated);
  });

  it('A call without one is not recorded, and the line to add is printed once for each tool', () => {
    const { observer, call, answer, decisions, warnings } = observe({});
    for (const [id, tool] of ['pay', 'pay', 'ship'].entries()) {
      call(id, tool);
      answer(id, {});
    }
    observer.end();
    expect(decisions).toEqual([]);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain('"pay": {"confidence": ["argument:confidence", "fixed:0.8"]}');
    expect(warnings[2]).toBe('3 tool calls were not recorded, see above');
  });
});

it('A tool whose name is too long for a decision is reported', () => {
  const { call, answer, decisions, warnings } = observe();
  call(1, 'x'.repeat(201));
  answer(1, {});
  expect(decisions).toEqual([]);
  expect(warnings.join()).toContain('its name is longer than 200 characters');
});

describe('Lines', () => {
  function read(chunks: readonly string[]) {
    const lines: string[] = [];
    const handlers = {
      line: (text: string) => void lines.push(text),
      tooLong: () => void lines.push('TOO LONG'),
    };
    const reader = new LineReader(handlers, 10);
    for (const chunk of chunks) reader.push(Buffer.from(chunk));
    return lines;
  }

  it('Lines are found in chunks of any size; long ones are skipped, and the next ones read', () => {
    const text = 'one\n\ntwo €\r\n12345678901\n1234567890\nrest';
    const lines = ['one', 'two €\r', 'TOO LONG', '1234567890'];
    expect(read([text])).toEqual(lines);
    expect(read([...text].map((character) => character))).toEqual(lines);
  });
});

describe('Calls that a server answers with a task', () => {
  const TASK = { taskId: 't1', status: 'working', ttl: null };

  /** A call that has become a task, and what a client asks about it. */
  function observeTask() {
    const seen = observe();
    const ask = (id: number, method: string, taskId = 't1') =>
      seen.observer.sent(message({ id, method, params: { taskId } }));
    const notify = (params: object) =>
      seen.observer.received(message({ method: 'notifications/tasks/status', params }));
    seen.call(1, 'pay', { n: 1 });
    seen.answer(1, { task: TASK });
    expect(seen.decisions).toEqual([]);
    return { ...seen, ask, notify };
  }

  it('They are recorded with the result that the client asks for later', () => {
    const { observer, ask, answer, decisions } = observeTask();
    ask(2, 'tasks/get');
    answer(2, { ...TASK, status: 'completed' });
    ask(3, 'tasks/result', 'another');
    answer(3, { content: ['of another task'] });
    ask(4, 'tasks/result');
    ask(5, 'tasks/result');
    answer(4, { content: ['paid'] });
    answer(5, { content: ['paid'] });
    observer.end();
    expect(decisions).toMatchObject([
      {
        inputs: { n: 1 },
        outputs: { content: ['paid'] },
        metadata: { mcp_outcome: 'result' },
        at: 1,
      },
    ]);
  });

  it('They are recorded as failed calls are', () => {
    const failed = observeTask();
    failed.ask(2, 'tasks/result');
    failed.answer(2, { content: [], isError: true });
    expect(failed.decisions).toMatchObject([{ metadata: { mcp_outcome: 'tool_error' } }]);
    const refused = observeTask();
    refused.ask(2, 'tasks/result');
    refused.observer.received(message({ id: 2, error: { code: -32603, message: 'no' } }));
    expect(refused.decisions).toMatchObject([{ outputs: { error: { code: -32603 } } }]);
  });

  it('They are recorded as cancelled, by whichever side says so first', () => {
    const asked = observeTask();
    asked.ask(2, 'tasks/cancel');
    asked.answer(2, { ...TASK, status: 'cancelled' });
    asked.notify({ ...TASK, status: 'cancelled' });
    const notified = observeTask();
    notified.notify({ ...TASK, status: 'working' });
    notified.notify({ ...TASK, status: 'cancelled' });
    for (const { observer, decisions } of [asked, notified]) {
      observer.end();
      expect(decisions).toMatchObject([{ metadata: { mcp_outcome: 'cancelled' } }]);
      expect(decisions).toHaveLength(1);
    }
  });

  it('They are recorded with what the server last said if nobody asks for the result', () => {
    const { observer, notify, decisions } = observeTask();
    notify({ ...TASK, status: 'failed' });
    notify({ ...TASK, taskId: 'another', status: 'completed' });
    observer.end();
    expect(decisions).toMatchObject([
      { outputs: { error: { type: 'no_result', task_status: 'failed' } } },
    ]);
  });

  it('Those of 2026 have their result in the state of the task', () => {
    const { observer, call, answer, decisions } = observe();
    call(1, 'pay');
    answer(1, { resultType: 'task', ...TASK });
    observer.sent(message({ id: 2, method: 'tasks/get', params: { taskId: 't1' } }));
    answer(2, {
      resultType: 'complete',
      ...TASK,
      status: 'completed',
      result: { content: ['paid'] },
    });
    expect(decisions).toMatchObject([{ outputs: { content: ['paid'] } }]);
  });

  it('They do not make a result with content a task', () => {
    const { call, answer, decisions } = observe();
    call(1, 'pay');
    answer(1, { content: [], task: TASK });
    expect(decisions).toMatchObject([{ outputs: { task: TASK } }]);
  });

  it('They are forgotten in order, the oldest first, when there are too many', () => {
    const { observer, call, answer, decisions } = observe();
    for (let n = 0; n < 1001; n += 1) {
      call(n, 'pay', { n });
      answer(n, { task: { ...TASK, taskId: `t${n}` } });
    }
    expect(decisions).toMatchObject([
      { inputs: { n: 0 }, outputs: { error: { type: 'no_result' } } },
    ]);
    for (let id = 5000; id < 7500; id += 1) {
      observer.sent(message({ id, method: 'tasks/result', params: { taskId: 't1000' } }));
    }
    answer(7499, { content: ['paid'] });
    expect(decisions).toMatchObject([{}, { inputs: { n: 1000 }, outputs: { content: ['paid'] } }]);
  });
});
