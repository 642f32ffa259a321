// @ts-check
// What the example asks of the ledger in the end.
import { Ledger } from '@decision-ledger/client';

/**
 * Prints what was recorded, whether its chain is valid, and what it may cost.
 * @param {string} url
 * @param {string} key
 */
export async function report(url, key) {
  const ledger = new Ledger({ url, key });
  const chain = await ledger.verification.decisions();
  console.log(`${chain.records_checked} decisions, chain ${chain.is_valid ? 'valid' : 'BROKEN'}`);
  const decisions = await ledger.decisions.list({ agent_id: 'support-agent' }).toArray();
  for (const { decision_id } of decisions.reverse()) {
    const { action_type, confidence, liability, outcome } = await ledger.decisions.get(decision_id);
    console.log(
      `${action_type}, confidence ${confidence}: ${outcome.outcome}, exposure ${liability.expected} ${liability.currency}`,
    );
  }
  await ledger.close();
}
