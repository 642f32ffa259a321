import { agentName } from './decisions.js';

/**
 * The requests for a ledger whose decisions are at most 90 days old.
 * @returns {{ name: string, path: string, change?: typeof recordEvent }[]}
 */
export function questions() {
  const agent = `agent_id=${encodeURIComponent(agentName(3))}`;
  const since = (/** @type {number} */ days) =>
    `start=${encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString())}`;
  /** @type {[name: string, path: string, change?: typeof recordEvent][]} */
  const all = [
    ['ai-pnl', 'ai-pnl'],
    ['ai-pnl after each change of money', 'ai-pnl', recordEvent],
    ['ai-pnl of one agent', `ai-pnl?${agent}`],
    ['timeline by day', 'timeline'],
    ['timeline by hour of a week', `timeline?bucket=hour&${since(7)}`],
    ['timeline by week and agent', 'timeline?bucket=week&group_by=agent'],
    ['liability', 'liability'],
    ['liability of one agent', `liability?${agent}`],
    ['liability of 30 days', `liability?${since(30)}`],
    ['agents', 'agents'],
  ];
  return all.map(([name, path, change]) => ({ name, path: `/api/v1/analytics/${path}`, change }));
}

/**
 * Records an event, which invalidates cached sums.
 * @param {string} url
 * @param {string} key
 */
async function recordEvent(url, key) {
  const event = { source: 'bench', event_type: 'payment', amount: '1.00', currency: 'USD' };
  const answer = await fetch(`${url}/api/v1/financial-events`, {
    method: 'POST',
    headers: { 'x-ledger-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...event, timestamp: new Date().toISOString() }),
  });
  if (!answer.ok) throw new Error(`an event was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

/**
 * Times repeated requests for one analysis, one at a time.
 * @param {string} url
 * @param {string} key
 * @param {ReturnType<typeof questions>[number]} question
 * @param {number} times
 * @returns {Promise<{ p50: number, p99: number }>} ms
 */
export async function timeAnswers(url, key, { path, change }, times) {
  const all = [];
  for (let n = 0; n < times; n += 1) {
    await change?.(url, key);
    const started = performance.now();
    const answer = await fetch(url + path, { headers: { 'x-ledger-key': key } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    all.push(performance.now() - started);
  }
  all.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => all[Math.floor((all.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
