import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ratios } from '../support/figures.js';

/** Calls in a round. */
const CALLS = 20_000;
const SMOKE_CALLS = 200;
const ROUNDS = 5;
const CLIENTS = {
  memory: 'ours, in memory',
  outbox: 'ours, with the outbox',
  outage: 'ours, with the outbox, without the service',
  langfuse: 'langfuse 3, trace()',
  langsmith: 'langsmith 0, createRun()',
};

/** @typedef {{ p50: number, p99: number, cpu: number }} Times */

export const client = {
  name: 'client',
  needsPostgres: false,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ smoke }) {
    const server = await acceptAll();
    /** @type {Map<string, Times[]>} */
    const times = new Map(Object.keys(CLIENTS).map((name) => [name, []]));
    try {
      for (let round = 0; round < (smoke ? 1 : ROUNDS); round += 1) {
        for (const [name, all] of times) {
          all.push(await timeCalls(name, server.url, smoke ? SMOKE_CALLS : CALLS));
        }
      }
    } finally {
      server.close();
    }
    return report(times);
  },
};

/**
 * @param {Map<string, Times[]>} times
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(times) {
  const valuesOf = (/** @type {string} */ name, /** @type {keyof Times} */ figure) =>
    (times.get(name) ?? []).map((one) => one[figure]);
  const details = Object.entries(CLIENTS).flatMap(([name, title]) => [
    { title: `Recording, ${title}: p50 of a call`, values: valuesOf(name, 'p50'), unit: 'µs' },
    { title: `Recording, ${title}: p99 of a call`, values: valuesOf(name, 'p99'), unit: 'µs' },
    { title: `Recording, ${title}: CPU in all`, values: valuesOf(name, 'cpu'), unit: 'µs/call' },
  ]);
  const compared = ['langfuse', 'langsmith'].map((name) => ({
    title: `p50 of record() with the outbox ÷ ${name}`,
    values: ratios(valuesOf('outbox', 'p50'), valuesOf(name, 'p50')),
  }));
  const outage = {
    title: 'p50 of record() without the service ÷ with it',
    values: ratios(valuesOf('outage', 'p50'), valuesOf('outbox', 'p50')),
  };
  return { ratios: [...compared, outage], details, notes: [] };
}

/**
 * A process for each round: what one client leaves behind must not slow down the next.
 * @param {string} name
 * @param {string} url
 * @param {number} calls
 * @returns {Promise<Times>}
 */
async function timeCalls(name, url, calls) {
  const program = fileURLToPath(new URL('../support/record-process.js', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, name, url, String(calls)],
    { timeout: 120_000 },
  );
  return JSON.parse(stdout);
}

/** A service that accepts whatever the three libraries send. */
async function acceptAll() {
  let seq = 0;
  const server = createServer(async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.setHeader('content-type', 'application/json');
    if (!request.url?.endsWith('/decisions/batch')) {
      response.writeHead(request.url?.includes('ingestion') ? 207 : 200);
      response.end('{"successes":[],"errors":[],"version":"1"}');
      return;
    }
    const { decisions: given } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const decisions = given.map(() => {
      seq += 1;
      const hash = seq.toString(16).padStart(64, '0');
      const prev_hash = (seq - 1).toString(16).padStart(64, '0');
      return { decision_id: `dec_${seq}`, seq, hash, prev_hash, replayed: false };
    });
    response.writeHead(201).end(JSON.stringify({ data: { decisions }, meta: {} }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
