import type { DecisionToRecord } from '@decision-ledger/client';
import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { recordTool } from '@decision-ledger/mcp/server/record-tool';
import { expect, it } from 'vitest';
import { casesOf, formOf, type Report } from '../../contract/test/support/outcome-cases.js';

const message = (members: object) => JSON.stringify({ jsonrpc: '2.0', ...members });
const textOf = (value: unknown) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

/** Passes a call and its answer through the proxy, as a report says. */
function pass(observer: Observer, { returned, failed, protocol_error, cancelled, lost }: Report) {
  observer.sent(message({ id: 1, method: 'tools/call', params: { name: 'refund' } }));
  if (cancelled === true) {
    observer.sent(message({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  } else if (lost === true) {
    observer.end();
  } else if (protocol_error !== undefined) {
    observer.received(message({ id: 1, error: protocol_error }));
  } else if (failed === undefined) {
    observer.received(message({ id: 1, result: textOf(returned) }));
  } else {
    observer.received(message({ id: 1, result: { isError: true, ...textOf(failed) } }));
  }
}

it.for(casesOf('mcp-proxy').map((one) => [one.name, one] as const))(
  'The proxy records as the cases say: %s',
  ([_name, { report, outputs, stated }]) => {
    const decisions: DecisionToRecord[] = [];
    const observer = new Observer({
      agentId: 'desk',
      rules: new ToolRules({ '*': { confidence: ['fixed:0.5'] } }),
      now: () => 1,
      record: (decision) => void decisions.push(decision),
      warn: (text) => expect(text).toBe(''),
    });
    pass(observer, report);
    expect(decisions.map(formOf)).toEqual([{ outputs, stated }]);
  },
);

it.for(casesOf('mcp-server').map((one) => [one.name, one] as const))(
  'The server records what a model states: %s',
  async ([_name, { report, outputs, stated }]) => {
    const decisions: DecisionToRecord[] = [];
    const record = (decision: DecisionToRecord) => {
      decisions.push(decision);
      return { session_id: 's', session_seq: 1 };
    };
    const recorder = { url: '', record, close: async () => undefined };
    const tool = recordTool('desk', recorder, () => 1);
    const input = { action_type: 'refund', inputs: {}, confidence: 0.5, outputs: report.returned };
    await tool.run(input, new AbortController().signal);
    expect(decisions.map(formOf)).toEqual([{ outputs, stated }]);
  },
);
