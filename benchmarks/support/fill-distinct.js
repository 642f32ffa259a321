import { decisionStream } from './decisions.js';
import { BATCH } from './load.js';

const CONNECTIONS = 8;

/**
 * Records distinct decisions, and returns some of them.
 * @param {{ url: string }} service
 * @param {string} key
 * @param {number} count
 * @param {number} wanted how many to return, evenly spaced
 * @param {number} [spanMs] dates them evenly over this time before now; default: dated by the service
 * @returns {Promise<ReturnType<ReturnType<typeof decisionStream>>[]>}
 */
export async function fillDistinct({ url }, key, count, wanted, spanMs) {
  const next = decisionStream(7);
  const end = Date.now();
  const dated = (/** @type {number} */ index) =>
    spanMs === undefined
      ? {}
      : { timestamp: new Date(end - spanMs * (1 - index / count)).toISOString() };
  const every = Math.max(1, Math.floor(count / wanted));
  const remembered = [];
  let made = 0;
  const send = async () => {
    while (made < count) {
      const decisions = [];
      while (decisions.length < BATCH && made < count) {
        const decision = { ...next(), ...dated(made) };
        if (made % every === 0 && remembered.length < wanted) remembered.push(decision);
        decisions.push(decision);
        made += 1;
      }
      await post(`${url}/api/v1/decisions/batch`, key, { decisions });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return remembered;
}

/**
 * @param {string} url
 * @param {string} key
 * @param {object} body
 */
async function post(url, key, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-ledger-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
