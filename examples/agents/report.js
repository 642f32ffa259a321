// @ts-check
// What the examples print in the end: what was recorded, whether its chain is valid, and what it may cost.

/**
 * @param {import('@decision-ledger/client').Ledger} ledger
 * @param {string} agent_id
 */
export async function report(ledger, agent_id) {
  await ledger.flush();
  const chain = await ledger.verification.decisions();
  const decisions = await ledger.decisions.list({ agent_id }).toArray();
  console.log(
    `${decisions.length} decisions of ${agent_id}, chain ${chain.is_valid ? 'valid' : 'BROKEN'}`,
  );
  for (const decision of decisions.sort((a, b) => a.seq - b.seq)) {
    const { liability, outcome } = await ledger.decisions.get(decision.decision_id);
    const person = decision.human_in_loop ? ' with a person' : '';
    console.log(
      `${decision.action_type}${person}, ${JSON.stringify(decision.outputs)}: ${outcome.outcome}, exposure ${liability?.expected} ${liability?.currency}`,
    );
  }
}
