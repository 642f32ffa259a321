// The stream clients and the writer of decisions, in one process so that they share a clock.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerTask } from './children.js';
import { decisions } from './decisions.js';
import { openStreams } from './stream-sockets.js';

const TICK_MS = 20;
const BODIES = 200;
const TIMEOUT_MS = 120_000;
const WRITERS = 64;

/**
 * @typedef {object} StreamTask
 * @property {string} url
 * @property {string} key
 * @property {number} clients
 * @property {number} perSecond decisions
 * @property {number} seconds
 * @property {number} base seq of the last decision before
 */
/**
 * @typedef {object} Streamed
 * @property {number} p50 delay from an answer to its events, ms
 * @property {number} p99
 * @property {number} most
 * @property {number} recorded decisions
 * @property {number} rate decisions a second that were answered
 * @property {number} count events that arrived
 * @property {number} disorder events that were not the next one of their client
 */

answerTask(async (/** @type {StreamTask} */ { url, key, clients, perSecond, seconds, base }) => {
  const total = Math.ceil(perSecond * seconds);
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const arrived = new Float32Array(clients * total);
  const next = new Int32Array(clients).fill(base + 1);
  const seen = { count: 0, disorder: 0, fault: '' };
  const streams = await openStreams(
    ...[url, key, clients],
    (client, seq) => {
      if (seq !== next[client]) seen.disorder += 1;
      next[client] = seq + 1;
      arrived[client * total + seq - base - 1] = elapsed();
      seen.count += 1;
    },
    (reason) => {
      seen.fault = reason;
    },
  );
  const writing = elapsed();
  const answered = await write({ url, key, perSecond, total, base, elapsed });
  const rate = total / ((elapsed() - writing) / 1000);
  for (const since = elapsed(); seen.count < clients * total; await sleep(TICK_MS)) {
    if (seen.fault !== '') throw new Error(seen.fault);
    if (elapsed() - since > TIMEOUT_MS) throw new Error(`${seen.count} events came`);
  }
  streams.close();
  const { count, disorder } = seen;
  return { ...delaysOf(arrived, answered), recorded: total, rate, count, disorder };
});

/**
 * @param {{
 *   url: string, key: string, perSecond: number, total: number, base: number, elapsed: () => number
 * }} how
 */
async function write({ url, key, perSecond, total, base, elapsed }) {
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  const bodies = decisions(BODIES, { timestamps: false }).map((body) => JSON.stringify(body));
  const answered = new Float32Array(total);
  const pending = [];
  const start = elapsed();
  for (let sent = 0; sent < total; await sleep(TICK_MS)) {
    const due = Math.min(total, Math.ceil(((elapsed() - start) * perSecond) / 1000));
    for (; sent < due; sent += 1) {
      pending.push(
        post(agent, url, key, bodies[sent % BODIES]).then((seq) => {
          answered[seq - base - 1] = elapsed();
        }),
      );
    }
  }
  await Promise.all(pending);
  agent.destroy();
  return answered;
}

/**
 * @param {Agent} agent
 * @param {string} url
 * @param {string} key
 * @param {string} body
 * @returns {Promise<number>} the seq of the decision
 */
function post(agent, url, key, body) {
  const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { agent, method: 'POST', headers };
    const sent = request(new URL('/api/v1/decisions', url), options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => {
        if (answer.statusCode === 201) resolve(JSON.parse(text).data.seq);
        else reject(new Error(text));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Delays from the response to the writer until the event, in ms; 0 if the event arrived first.
 * @param {Float32Array} arrived arrival times, client by client
 * @param {Float32Array} answered
 */
function delaysOf(arrived, answered) {
  const delays = arrived.map((at, index) => Math.max(0, at - answered[index % answered.length]));
  delays.sort();
  const at = (/** @type {number} */ share) => delays[Math.floor((delays.length - 1) * share)];
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
