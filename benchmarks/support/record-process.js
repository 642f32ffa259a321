// Times the call that records a decision, of one client library, and prints the figures as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';

const [name = '', url = '', calls = '0'] = process.argv.slice(2);
/** Calls between two turns of the event loop. */
const BURST = 10;

/** A decision of about 700 bytes as JSON. */
const decision = (/** @type {number} */ n) => ({
  agent_id: 'refund-bot',
  action_type: 'refund',
  inputs: { order: `A-${n}`, reason: 'damaged', text: 'the parcel arrived open '.repeat(16) },
  outputs: { approved: true, amount: '49.00', currency: 'EUR' },
  confidence: 0.93,
  metadata: { customer_id: `c-${n % 1000}`, model: 'large-2', region: 'eu' },
});

/** @type {Record<string, () => Promise<{ record: (n: number) => unknown, end: () => Promise<unknown> }>>} */
const clients = {
  memory: () => ours(null, url),
  outbox: () => ours(mkdtempSync(join(tmpdir(), 'bench-outbox-')), url),
  outage: () => ours(mkdtempSync(join(tmpdir(), 'bench-outbox-')), 'http://127.0.0.1:9'),
  async langfuse() {
    const { Langfuse } = await import('langfuse');
    const client = new Langfuse({ publicKey: 'p', secretKey: 's', baseUrl: url, flushAt: 100 });
    return {
      record: (n) => {
        const { inputs, outputs, metadata, action_type } = decision(n);
        client.trace({ name: action_type, input: inputs, output: outputs, metadata });
      },
      end: () => client.shutdownAsync(),
    };
  },
  async langsmith() {
    const { Client } = await import('langsmith');
    const client = new Client({ apiUrl: url, apiKey: 'k' });
    return {
      record: (n) => {
        const { inputs, outputs, metadata, action_type } = decision(n);
        const time = 1_776_000_000_000 + n;
        const id = crypto.randomUUID();
        // It returns before the run is sent.
        return client.createRun({
          id,
          trace_id: id,
          name: action_type,
          run_type: 'chain',
          inputs,
          outputs,
          start_time: time,
          end_time: time,
          extra: { metadata },
          dotted_order: `20260416T093000000000Z${id}`,
        });
      },
      end: () => client.awaitPendingTraceBatches(),
    };
  },
};

/**
 * @param {string | null} outbox
 * @param {string} address
 */
async function ours(outbox, address) {
  const { Ledger } = await import('@decision-ledger/client');
  const ledger = new Ledger({
    url: address,
    key: 'lg_test_1',
    onError: () => undefined,
    ...(outbox !== null && { outbox }),
    maxQueued: outbox === null ? 1_000_000 : 1000,
    maxQueuedBytes: 2 ** 30,
  });
  return {
    record: (/** @type {number} */ n) => ledger.record(decision(n)),
    async end() {
      await ledger.close({ timeoutMs: address === url ? 60_000 : 1 });
      if (outbox !== null) rmSync(outbox, { recursive: true, force: true });
    },
  };
}

const count = Number(calls);
const times = new Float64Array(count);
const client = await clients[name]?.();
if (client === undefined) throw new Error(`there is no client ${name}`);
// The first calls load and compile.
for (let n = 0; n < Math.min(2000, count); n += 1) await one(n);
const before = process.cpuUsage();
for (let n = 0; n < count; n += 1) times[n] = await one(n);
await client.end();
const { user, system } = process.cpuUsage(before);
times.sort();
const at = (/** @type {number} */ share) => (times[Math.floor(share * (count - 1))] ?? 0) * 1000;
const figures = { p50: at(0.5), p99: at(0.99), cpu: (user + system) / count };
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());

/** @param {number} n */
async function one(n) {
  const started = performance.now();
  const returned = client?.record(n);
  const time = performance.now() - started;
  if (returned instanceof Promise) returned.catch(() => undefined);
  if (n % BURST === 0) await turn();
  return time;
}
