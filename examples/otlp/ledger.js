// @ts-check
// What the example asks of the ledger itself: the mapping once, and the result in the end.

/**
 * Says that tool calls are decisions.
 * @param {string} url
 * @param {string} key
 */
export async function prepare(url, key) {
  await call(url, key, '/settings', { otlp: { preset: 'gen_ai_1.45' } });
}

/**
 * Prints what was recorded, whether its chain is valid, and what it may cost.
 * @param {string} url
 * @param {string} key
 */
export async function report(url, key) {
  const chain = await call(url, key, '/decisions/chain/verify');
  console.log(`${chain.records_checked} decisions, chain ${chain.is_valid ? 'valid' : 'BROKEN'}`);
  const { decisions } = await call(url, key, '/decisions?agent_id=support-agent');
  for (const { decision_id, action_type, confidence } of decisions.toReversed()) {
    const { liability, outcome } = await call(url, key, `/decisions/${decision_id}`);
    console.log(
      `${action_type}, confidence ${confidence}: ${outcome.outcome}, exposure ${liability.expected} ${liability.currency}`,
    );
  }
}

/**
 * @param {string} url
 * @param {string} key
 * @param {string} path
 * @param {object} [patch]
 * @returns {Promise<any>}
 */
async function call(url, key, path, patch) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    headers: { 'X-Ledger-Key': key, 'Content-Type': 'application/json' },
    ...(patch !== undefined && { method: 'PATCH', body: JSON.stringify(patch) }),
  });
  const { data, error } = await answer.json();
  if (error !== undefined) throw new Error(error.message);
  return data;
}
