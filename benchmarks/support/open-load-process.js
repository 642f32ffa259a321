// The load generator whose requests start at scheduled times, in its own process.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import process from 'node:process';
import { answerTask } from './children.js';
import { decisions } from './decisions.js';

/** Requests beyond this wait, which counts as latency. */
const CONNECTIONS = 256;
const DISTINCT = 200;
const TICK_MS = 1;
/** For the last answers. */
const PATIENCE_MS = 60_000;
const CREATED = 201;
const HEAD_END = '\r\n\r\n';

answerTask(async (/** @type {import('./load.js').OpenLoad} */ task) => {
  const { url, perSecond, seconds } = task;
  const requests = requestsOf(task);
  const total = Math.ceil(perSecond * seconds);
  const [latency, late] = [createHistogram({ figures: 4 }), createHistogram({ figures: 4 })];
  /** Used in turn, so that none is idle until the server closes it. @type {Connection[]} */
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(url)));
  const all = [...free];
  const cpu = process.cpuUsage();
  const start = performance.now();
  let [sent, answered] = [0, 0];
  await new Promise((resolve, reject) => {
    const fail = (/** @type {unknown} */ error) => {
      clearInterval(timer);
      reject(error);
    };
    const send = () => {
      for (; sent < total && free.length > 0; sent += 1) {
        const scheduled = start + (sent / perSecond) * 1000;
        const now = performance.now();
        if (scheduled > now) return;
        const connection = /** @type {Connection} */ (free.shift());
        late.record(micros(now - scheduled));
        connection.send(requests[sent % DISTINCT], (error) => {
          if (error !== null) return fail(error);
          latency.record(micros(performance.now() - scheduled));
          free.push(connection);
          answered += 1;
          if (answered < total) return send();
          clearInterval(timer);
          resolve(undefined);
        });
      }
    };
    const timer = setInterval(() => {
      send();
      if (performance.now() - start > seconds * 1000 + PATIENCE_MS) {
        fail(new Error(`only ${answered} of ${total} requests were answered`));
      }
    }, TICK_MS);
  });
  const taken = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  for (const { close } of all) close();
  return {
    answered,
    perSecond: answered / taken,
    seconds: taken,
    p50: latency.percentile(50) / 1000,
    p99: latency.percentile(99) / 1000,
    p999: latency.percentile(99.9) / 1000,
    most: latency.max / 1000,
    late: late.percentile(99) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
  };
});

/** @param {number} ms */
const micros = (ms) => Math.max(1, Math.round(ms * 1000));

/** @param {import('./load.js').OpenLoad} task */
function requestsOf({ url, key }) {
  return decisions(DISTINCT, { timestamps: false }).map((decision) => {
    const body = JSON.stringify(decision);
    const head = [
      'POST /api/v1/decisions HTTP/1.1',
      `host: ${new URL(url).host}`,
      `x-ledger-key: ${key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join('\r\n')}${HEAD_END}${body}`);
  });
}

/** @typedef {Awaited<ReturnType<typeof open>>} Connection one request at a time */

/** @param {string} url */
async function open(url) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = '';
  /** @type {((error: Error | null) => void) | null} */
  let waiting = null;
  const end = (/** @type {Error | null} */ error) => {
    const told = waiting;
    waiting = null;
    received = '';
    told?.(error);
  };
  socket.setEncoding('latin1');
  socket.on('data', (part) => {
    received += part;
    if (!isWhole(received)) return;
    const status = Number(received.slice(9, 12));
    end(status === CREATED ? null : new Error(`a decision was answered with\n${received}`));
  });
  socket.on('error', end);
  socket.on('close', () => end(new Error('the service closed a connection')));
  return {
    /**
     * @param {Buffer} request
     * @param {(error: Error | null) => void} done
     */
    send(request, done) {
      waiting = done;
      if (socket.destroyed) end(new Error('the service closed an idle connection'));
      else socket.write(request);
    },
    close: () => socket.destroy(),
  };
}

/** @param {string} received an answer with a content-length, perhaps in part */
function isWhole(received) {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error(`an answer has no content-length:\n${received}`);
  return received.length >= headEnd + HEAD_END.length + Number(length);
}
