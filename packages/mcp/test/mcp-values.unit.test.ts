import { TestLedger } from '@decision-ledger/client/testing';
import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { Protocol } from '@decision-ledger/mcp/server/protocol';
import { recordTool } from '@decision-ledger/mcp/server/record-tool';
import { describe, expect, it } from 'vitest';
import { heldOf, valueCasesOf } from '../../contract/test/support/value-cases.js';

const CASES = valueCasesOf('json-text').map((one) => [one.name, one] as const);

/** What a call that passes the proxy is recorded as. */
async function passed(call: string, result = '{"content":[]}') {
  const ledger = new TestLedger();
  const observer = new Observer({
    agentId: 'desk',
    rules: new ToolRules({ '*': { confidence: ['fixed:0.5'] } }),
    now: () => 1,
    record: (decision) => ledger.record(decision),
    warn: (text) => expect(text).toBe(''),
  });
  const params = `{"name":"refund","arguments":${call}}`;
  observer.sent(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  observer.received(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
  await ledger.flush();
  return ledger.recorded;
}

/** What a model records with the tool of the server. */
async function stated(members: string) {
  const ledger = new TestLedger();
  const record = (decision: Parameters<TestLedger['record']>[0]) => {
    ledger.record(decision);
    return { session_id: 's', session_seq: 1 };
  };
  const tool = recordTool('desk', { url: '', record, close: async () => undefined }, () => 1);
  const protocol = new Protocol({
    info: { name: 'test', version: '1' },
    tools: [tool],
    explain: String,
  });
  const heads = '"action_type":"refund","outputs":{},"confidence":0.5';
  const params = `{"name":"record_decision","arguments":{${heads},${members}}}`;
  const answer = await protocol.answer(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  );
  await ledger.flush();
  return { answer, recorded: ledger.recorded };
}

describe('An odd value degrades alone', () => {
  it.for(CASES)('In arguments that pass the proxy: %s', async ([, { text, inputs, degraded }]) => {
    const [found] = await passed(`{"kept":"49.00","odd":${text}}`);
    expect(found && heldOf(found)).toEqual({ inputs, degraded });
  });

  it.for(CASES)('In a JSON text of a result: %s', async ([, { text, inputs, degraded }]) => {
    const content = JSON.stringify({ type: 'text', text: `{"kept":"49.00","odd":${text}}` });
    const [found] = await passed('{}', `{"content":[${content}]}`);
    expect(found?.outputs).toEqual({ content: [{ type: 'text', text: inputs }] });
    const moved = degraded.map((path) => path.replace('/inputs', '/outputs/content/0/text'));
    expect(found?.metadata?.degraded ?? []).toEqual(moved);
  });

  it.for(CASES)('In what a model records: %s', async ([, { text, inputs, degraded }]) => {
    const { recorded } = await stated(`"inputs":{"kept":"49.00","odd":${text}}`);
    expect(recorded.map(heldOf)).toEqual([{ inputs, degraded }]);
  });
});

describe('What is repeated', () => {
  it('Of members of a message, the last counts, as for the server of the tool', async () => {
    const found = await passed('{"n":1},"arguments":{"n":2}', '{"isError":false,"isError":true}');
    expect(found).toMatchObject([{ inputs: { n: 2 }, metadata: { mcp_outcome: 'tool_error' } }]);
  });

  it('A model cannot hide a name that it must not state', async () => {
    const metadata = '"metadata":{"reviewer_id":"a","reviewer_id":"b"}';
    const { answer, recorded } = await stated(`"inputs":{},${metadata}`);
    expect(JSON.stringify(answer)).toContain('reviewer_id');
    expect(recorded).toEqual([]);
  });

  it('A call whose id no number can hold is recorded', async () => {
    const ledger: unknown[] = [];
    const observer = new Observer({
      agentId: 'desk',
      rules: new ToolRules({ '*': { confidence: ['fixed:0.5'] } }),
      now: () => 1,
      record: (decision) => void ledger.push(decision.outputs),
      warn: () => undefined,
    });
    const call = (id: string) =>
      observer.sent(`{"id":${id},"method":"tools/call","params":{"name":"pay"}}`);
    call('9007199254740992');
    call('9007199254740993');
    observer.received('{"id":9007199254740993,"result":{"n":3}}');
    observer.received('{"id":9007199254740992,"result":{"n":2}}');
    expect(ledger).toEqual([{ n: 3 }, { n: 2 }]);
  });
});

it('Texts that are no whole JSON stay texts', async () => {
  const [found] = await passed(
    '{}',
    '{"content":[{"type":"text","text":"{} paid"},7,{"text":"{}"}]}',
  );
  expect(found?.outputs).toEqual({
    content: [{ type: 'text', text: '{} paid' }, 7, { text: '{}' }],
  });
});
