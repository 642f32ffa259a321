// Records decisions until it is killed. Stores the number of each one after `record` has returned.
import { openSync, writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger } from '@decision-ledger/client';

const [url, key, outbox, progress, from, to] = process.argv.slice(2);
// A file, because a pipe that is full would fail.
const file = openSync(progress, 'w');
const ledger = new Ledger({
  ...{ url, key, outbox, maxQueued: 1000 },
  requestTimeoutMs: 3000,
  maxRetryMs: 200,
  onError: ({ kind, message }) => {
    if (kind !== 'delivery') writeSync(2, `${kind}: ${message}\n`);
  },
});
const START = Date.UTC(2026, 0, 1);

for (let n = Number(from); n <= Number(to); n += 1) {
  // The key and the time depend on n alone, so that a number may be recorded again after a kill.
  ledger.record({
    idempotency_key: `n-${n}`,
    timestamp: new Date(START + n).toISOString(),
    agent_id: 'fault-test',
    action_type: 'count',
    inputs: { n, text: 'x'.repeat(200) },
    outputs: {},
    confidence: 1,
  });
  writeSync(file, String(n).padStart(12), 0);
  if (n % 50 === 0) await sleep(1);
}
const report = await ledger.close({ timeoutMs: 600_000 });
const { retries, replayed, late } = ledger.stats();
const rss = process.resourceUsage().maxRSS * 1024;
writeSync(1, `closed ${JSON.stringify({ ...report, retries, replayed, late, rss })}\n`);
