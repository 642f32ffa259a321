// The load generator, in its own process so that its CPU time is separate from the server's.
import process from 'node:process';
import autocannon from 'autocannon';
import { answerTask } from './children.js';
import { decisions } from './decisions.js';
import { BATCH } from './load.js';
import { traceRequest } from './traces.js';

const DISTINCT = { single: 200, batch: 20 * BATCH, 'keyed-batch': 20 * BATCH, event: 200 };

answerTask(async (/** @type {import('./load.js').LoadTask} */ task) => {
  const { result, firstError, times, cpuSeconds } = await measure(task);
  const answered = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${task.what} ${task.url}${task.path ?? ''}: ${answered} answers, ${result.errors} errors (${firstError}), ` +
        `statuses ${statuses}`,
    );
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor((times.length - 1) * share)];
  const perSecond = answered / result.duration;
  return { answered, perSecond, seconds: result.duration, p50: at(0.5), p99: at(0.99), cpuSeconds };
});

/** @param {import('./load.js').LoadTask} task */
async function measure(task) {
  const { url, urls = [url], key, connections, seconds, prefer } = task;
  const amount = seconds === 0 ? connections : task.amount;
  /** @type {number[]} */
  const times = [];
  /** @type {string | undefined} */
  let firstError;
  const requests = requestsOf(task);
  const headers = {
    'x-ledger-key': key ?? 'none',
    'content-type': 'application/json',
    ...(prefer !== undefined && { prefer }),
  };
  const instance = autocannon({
    url: [...urls],
    connections,
    timeout: 60,
    requests,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    headers,
    ...(task.keys !== undefined && {
      setupClient: spreadKeys(task.keys, urls.length, { requests, headers }),
    }),
  });
  instance.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  instance.on('reqError', (error) => {
    firstError ??= error.message;
  });
  const cpu = process.cpuUsage();
  const result = await instance;
  const used = process.cpuUsage(cpu);
  return { result, firstError, times, cpuSeconds: (used.user + used.system) / 1e6 };
}

/**
 * Connections are opened in the order of their processes, again and again.
 * @param {readonly string[]} keys
 * @param {number} processes
 * @param {{ requests: readonly object[], headers: Record<string, string> }} sent
 */
function spreadKeys(keys, processes, { requests, headers }) {
  let opened = 0;
  return (/** @type {autocannon.Client} */ client) => {
    const key = keys[Math.floor(opened / processes) % keys.length] ?? 'none';
    opened += 1;
    const own = { ...headers, 'x-ledger-key': key };
    client.setRequests(requests.map((request) => ({ ...request, headers: own })));
  };
}

/** @param {import('./load.js').LoadTask} task */
function requestsOf({ what, path = '/api/v1/decisions', timestamps = true }) {
  if (what === 'page') return [{ method: 'GET', path }];
  if (what === 'traces') return [traceRequest(10)];
  if (what === 'tool-traces') return [traceRequest(1)];
  if (what === 'event') return events(DISTINCT.event);
  const bodies = decisions(DISTINCT[what], { timestamps });
  if (what === 'single') return bodies.map((body) => post('/api/v1/decisions', body));
  const batches = [];
  while (bodies.length > 0) batches.push({ decisions: bodies.splice(0, BATCH) });
  if (what === 'keyed-batch') return batches.map(keyedBatch);
  return batches.map((body) => post('/api/v1/decisions/batch', body));
}

/**
 * A batch whose decisions have keys, which are new in every request.
 * @param {{ decisions: object[] }} batch
 * @param {number} number
 */
function keyedBatch({ decisions: bodies }, number) {
  const started = `${Date.now()}-${process.pid}-${number}`;
  const pieces = bodies.map((body) => JSON.stringify(body).slice(0, -1));
  let sent = 0;
  return {
    ...post('/api/v1/decisions/batch', {}),
    setupRequest: (/** @type {object} */ request) => {
      sent += 1;
      const members = pieces.map(
        (piece, place) => `${piece},"idempotency_key":"${started}-${sent}-${place}"}`,
      );
      return { ...request, body: `{"decisions":[${members.join()}]}` };
    },
  };
}

/** Payments that name an order and a customer. @param {number} count */
function events(count) {
  return Array.from({ length: count }, (_, n) =>
    post('/api/v1/financial-events', {
      source: 'shop',
      event_type: 'payment',
      amount: `${10 + n}.50`,
      currency: 'USD',
      timestamp: '2026-03-01T12:00:00Z',
      description: `Payment of order ${n}`,
      metadata: { order_id: `A-${n}`, customer_id: `C-${n % 20}` },
    }),
  );
}

/**
 * @param {string} path
 * @param {object} body
 */
function post(path, body) {
  return { method: /** @type {const} */ ('POST'), path, body: JSON.stringify(body) };
}
