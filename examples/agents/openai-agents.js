// @ts-check
// A refund agent with the OpenAI Agents SDK: a desk hands the orders over to billing, and a person is asked about
// large amounts. The models are scripted, so that the example runs without a provider: put one in their place.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { stated } from '@decision-ledger/client/confidence';
import { recordRunner } from '@decision-ledger/client/openai-agents';
import { Agent, Runner, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { report } from './report.js';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
const ledger = new Ledger({ url, key });
const runner = new Runner({ tracingDisabled: true });
const recorded = recordRunner(runner, {
  ledger,
  agent: 'billing',
  confidence: stated('inputs.confidence'),
  metadata: ({ inputs }) => ({ order_id: inputs.order }),
});

const refund = tool({
  name: 'refund',
  description: 'Refunds an order',
  parameters: z.object({
    order: z.string(),
    amount: z.string(),
    confidence: z.number().describe('how sure you are that the refund is due, from 0 to 1'),
  }),
  needsApproval: async (_context, { amount }) => Number(amount) > 500,
  execute: async ({ amount }) => ({ refunded: amount, currency: 'USD' }),
});

for (const [order, amount, confidence] of [
  ['A-3041', '49.00', 0.93],
  ['A-3042', '980.00', 0.81],
  ['A-3043', '1200.00', 0.55],
]) {
  await refundOrder({ order, amount, confidence });
}
await report(ledger, 'billing');
await ledger.close();

/** @param {{ order: string | number, amount: string | number, confidence: string | number }} input */
async function refundOrder(input) {
  const billing = new Agent({
    name: 'billing',
    model: scriptedModel([call('refund', input)], [text('done')]),
    tools: [refund],
  });
  const model = scriptedModel([call('transfer_to_billing', {})]);
  const desk = new Agent({ name: 'desk', model, handoffs: [billing] });
  const { state, interruptions } = await runner.run(desk, `Refund order ${input.order}`);
  for (const item of interruptions) askPerson(state, item);
  if (interruptions.length > 0) await runner.run(desk, state);
}

/**
 * The person approves amounts below a thousand.
 * @param {import('@openai/agents').RunState<any, any>} state
 * @param {import('@openai/agents').RunToolApprovalItem} item
 */
function askPerson(state, item) {
  const { amount } = JSON.parse(item.arguments ?? '{}');
  if (Number(amount) < 1000) state.approve(item);
  else recorded.reject(state, item, { message: 'the parcel did not come back' });
}

/**
 * Answers each turn as it is written down.
 * @param {any[][]} turns
 * @returns {import('@openai/agents').Model}
 */
function scriptedModel(...turns) {
  return {
    getResponse: async () => ({ usage: new Usage(), output: turns.shift() ?? [] }),
    getStreamedResponse: () => {
      throw new Error('the example does not stream');
    },
  };
}

/**
 * @param {string} name
 * @param {object} input
 */
function call(name, input) {
  const callId = crypto.randomUUID();
  const made = { type: 'function_call', callId, name, status: 'completed' };
  return { ...made, arguments: JSON.stringify(input) };
}

/** @param {string} said */
function text(said) {
  const content = [{ type: 'output_text', text: said }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}
