import { agentName } from './decisions.js';

/** What is asked of a ledger whose decisions lie within the last 90 days. */
export function questions() {
  const agent = `agent_id=${encodeURIComponent(agentName(3))}`;
  const since = (/** @type {number} */ days) =>
    `start=${encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString())}`;
  return [
    ['ai-pnl', 'ai-pnl'],
    ['ai-pnl of one agent', `ai-pnl?${agent}`],
    ['timeline by day', 'timeline'],
    ['timeline by hour of a week', `timeline?bucket=hour&${since(7)}`],
    ['timeline by week and agent', 'timeline?bucket=week&group_by=agent'],
    ['liability', 'liability'],
    ['liability of one agent', `liability?${agent}`],
    ['liability of 30 days', `liability?${since(30)}`],
    ['agents', 'agents'],
  ].map(([name, path]) => ({ name, path: `/api/v1/analytics/${path}` }));
}

/**
 * Asks one question again and again, one request at a time.
 * @param {string} url
 * @param {string} key
 * @param {string} path
 * @param {number} times
 * @returns {Promise<{ p50: number, p99: number }>} ms
 */
export async function timeAnswers(url, key, path, times) {
  const all = [];
  for (let n = 0; n < times; n += 1) {
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
