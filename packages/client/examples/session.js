// @ts-check
// An agent handles the cases of one session. Its decisions are numbered, so that a lost one shows.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
const agent = { agent_id: 'support-bot' };

const ledger = new Ledger({ url, key });
const session = ledger.session();

for (const order of ['A-1041', 'A-1042']) {
  await ledger.withDecision(
    { ...agent, action_type: 'refund', inputs: { order }, metadata: session.next() },
    async (decision) => {
      const price = await priceOf(order);
      decision.decide({ outputs: { approved: price < 50 }, confidence: 0.9 });
    },
  );
}
session.record({
  ...agent,
  action_type: 'end_shift',
  inputs: { decisions: session.count },
  outputs: { escalated: false },
  confidence: 1,
});

await ledger.close();
console.log(`session ${session.id} has ${session.count} decisions`);

/**
 * A tool of the agent. It notes its use in the decision that it serves.
 * @param {string} order
 */
async function priceOf(order) {
  ledger.currentDecision?.note({ tool: 'price_list' });
  return order === 'A-1041' ? 49 : 120;
}
