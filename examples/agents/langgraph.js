// @ts-check
// A refund graph with LangGraph. Its tool asks a person about large amounts and waits for the answer. The model is
// scripted, so that the example runs without a provider: put one in its place.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { stated } from '@decision-ledger/client/confidence';
import { LedgerHandler } from '@decision-ledger/client/langchain';
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import {
  Command,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { report } from './report.js';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
const ledger = new Ledger({ url, key });
const handler = new LedgerHandler({
  ledger,
  agent: 'refund-graph',
  confidence: stated('inputs.confidence'),
  metadata: ({ inputs }) => ({ order_id: inputs.order }),
});

const refund = tool(
  ({ order, amount }) => {
    const answer = Number(amount) > 500 ? interrupt({ order, amount }) : { approved: true };
    if (!answer.approved) return answer;
    return { ...answer, refunded: amount, currency: 'USD' };
  },
  {
    name: 'refund',
    description: 'Refunds an order',
    schema: z.object({
      order: z.string(),
      amount: z.string(),
      confidence: z.number().describe('how sure you are that the refund is due, from 0 to 1'),
    }),
  },
);

const model = fakeModel();
const graph = new StateGraph(MessagesAnnotation)
  .addNode('desk', async ({ messages }) => ({
    messages: [await model.bindTools([refund]).invoke(messages)],
  }))
  .addNode('tools', new ToolNode([refund]))
  .addEdge(START, 'desk')
  .addConditionalEdges('desk', toolsCondition)
  .addEdge('tools', 'desk')
  .compile({ checkpointer: new MemorySaver() });

for (const [order, amount, confidence] of [
  ['A-2041', '49.00', 0.93],
  ['A-2042', '980.00', 0.81],
  ['A-2043', '1200.00', 0.55],
]) {
  await refundOrder({ order, amount, confidence });
}
await report(ledger, 'refund-graph');
await ledger.close();

/** @param {{ order: string | number, amount: string | number, confidence: string | number }} input */
async function refundOrder(input) {
  const id = `call-${input.order}`;
  model.respondWithTools([{ name: 'refund', args: input, id }]).respond(new AIMessage('done'));
  const config = { configurable: { thread_id: String(input.order) }, callbacks: [handler] };
  const question = { role: 'user', content: `Refund order ${input.order}` };
  /** @type {{ __interrupt__?: { id?: string, value?: any }[] }} */
  const result = await graph.invoke({ messages: [question] }, config);
  const asked = result.__interrupt__;
  if (asked === undefined) return;
  const resume = handler.answered(asked, askPerson(asked[0]?.value));
  await graph.invoke(new Command({ resume }), config);
}

/**
 * The person approves amounts below a thousand.
 * @param {{ amount: string }} question
 */
function askPerson({ amount }) {
  const approved = Number(amount) < 1000;
  return { approved, reason: approved ? 'the parcel came back' : 'the parcel did not come back' };
}
