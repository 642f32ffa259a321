// @ts-check
// A refund agent with the Vercel AI SDK 7 and Node.js 22. Its tool calls become decisions, and so does the answer
// of the person who is asked about large amounts. The model is scripted, so that the example runs without a
// provider: put one in its place.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { ledgerTelemetry } from '@decision-ledger/client/ai-sdk';
import { stated } from '@decision-ledger/client/confidence';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { report } from './report.js';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
const ledger = new Ledger({ url, key });

registerTelemetry(
  ledgerTelemetry({
    ledger,
    agent: 'refund-agent',
    confidence: stated('inputs.confidence'),
    metadata: ({ inputs }) => ({ order_id: inputs.order }),
  }),
);

const refund = tool({
  description: 'Refunds an order',
  inputSchema: z.object({
    order: z.string(),
    amount: z.string(),
    confidence: z.number().describe('how sure you are that the refund is due, from 0 to 1'),
  }),
  execute: async ({ amount }) => ({ refunded: amount, currency: 'USD' }),
});

for (const [order, amount, confidence] of [
  ['A-1041', '49.00', 0.93],
  ['A-1042', '980.00', 0.81],
  ['A-1043', '1200.00', 0.55],
]) {
  await refundOrder({ order, amount, confidence });
}
await report(ledger, 'refund-agent');
await ledger.close();

/** @param {{ order: string | number, amount: string | number, confidence: string | number }} input */
async function refundOrder(input) {
  const settings = {
    model: scriptedModel(input),
    tools: { refund },
    toolApproval: {
      /** @param {{ amount: string }} input */
      refund: ({ amount }) =>
        Number(amount) > 500 ? /** @type {const} */ ('user-approval') : undefined,
    },
    stopWhen: isStepCount(5),
  };
  /** @type {import('ai').ModelMessage[]} */
  const messages = [{ role: 'user', content: `Refund order ${input.order}` }];
  const first = await generateText({ ...settings, messages });
  const answers = first.content.flatMap((part) =>
    part.type === 'tool-approval-request' ? [askPerson(part)] : [],
  );
  if (answers.length === 0) return;
  messages.push(...first.responseMessages, { role: 'tool', content: answers });
  await generateText({ ...settings, messages });
}

/**
 * The person approves amounts below a thousand.
 * @param {{ approvalId: string, toolCall: { input: any } }} request
 */
function askPerson({ approvalId, toolCall }) {
  const approved = Number(toolCall.input.amount) < 1000;
  const reason = approved ? 'the parcel came back' : 'the parcel did not come back';
  return /** @type {const} */ ({ type: 'tool-approval-response', approvalId, approved, reason });
}

/**
 * Asks for the refund in its first turn, and is done in every other.
 * @param {object} input
 */
function scriptedModel(input) {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
  let turn = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      turn += 1;
      const call = { toolCallId: crypto.randomUUID(), toolName: 'refund' };
      return {
        content:
          turn === 1
            ? [{ type: 'tool-call', ...call, input: JSON.stringify(input) }]
            : [{ type: 'text', text: 'done' }],
        finishReason: { unified: turn === 1 ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}
