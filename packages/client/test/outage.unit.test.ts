import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '@decision-ledger/client';
import { TestService } from '@decision-ledger/client/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decision } from './support/decisions.js';
import { manualTime } from './support/manual-time.js';

const DAY_MS = 86_400_000;
/** One decision every half a minute. */
const STEP_MS = 30_000;
const DECISIONS = DAY_MS / STEP_MS;

let outbox: string;

beforeEach(() => {
  outbox = mkdtempSync(join(tmpdir(), 'ledger-outage-'));
});

afterEach(() => rmSync(outbox, { recursive: true, force: true }));

it('After a day without the service, every decision is delivered in order, with the time it was made', async () => {
  const time = manualTime();
  const service = new TestService(time.now);
  let requests = 0;
  let isRecording = false;
  let duringRecord = 0;
  const ledger = new Ledger({
    ...{ url: 'https://ledger.example.com', key: 'k', outbox, maxQueued: 200 },
    ...{ timers: time.timers, now: time.now, random: () => 0.5, onError: () => undefined },
    fetch(url, request) {
      requests += 1;
      if (isRecording) duringRecord += 1;
      return service.fetch(url, request);
    },
  });
  service.failNext({ requests: Number.POSITIVE_INFINITY, status: 'network' });
  const start = time.now();
  for (let n = 1; n <= DECISIONS; n += 1) {
    isRecording = true;
    ledger.record(decision(n));
    isRecording = false;
    await time.advance(STEP_MS);
  }
  // A call does no work but its own: no request, and no decision in memory beyond the limit.
  expect(duringRecord).toBe(0);
  expect(ledger.stats()).toMatchObject({ pending: DECISIONS, queued: 200, failed: 0 });
  // With full jitter and a limit of 30 s, about one attempt every 15 s.
  expect(requests).toBeGreaterThan(5000);
  expect(requests).toBeLessThan(7000);

  service.failNext({ requests: 0, status: 503 });
  const report = await time.until(ledger.close({ timeoutMs: 600_000 }));
  expect(report).toEqual({ accepted: DECISIONS, pending: 0, failed: 0 });
  expect(service.recorded.map(({ inputs }) => inputs.n)).toEqual(
    Array.from({ length: DECISIONS }, (_, index) => index + 1),
  );
  expect(service.recorded.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    Array.from({ length: DECISIONS }, (_, index) => start + index * STEP_MS),
  );
});
