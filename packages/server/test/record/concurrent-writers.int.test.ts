import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import { expectKept } from '../support/expect-kept.js';
import { Journal, orderOf, send, writeTogether } from '../support/load.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';

describe('Concurrent writers on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-writers-'));
  const journal = new Journal();
  let service: ServiceProcess;
  let caller: Caller;

  beforeAll(async () => {
    service = await startService(embeddedEnvironment(dataDir));
    caller = createCaller(service.url, readKeys(dataDir).live);
    await liftRateLimits(caller);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  async function expectAllKept(): Promise<void> {
    const chain = await expectKept(await embeddedConnection(dataDir), caller, journal);
    expect(chain.decisions).toHaveLength(journal.decisions);
  }

  it('64 concurrent writers make one unbroken chain of exactly the acknowledged decisions', async () => {
    await writeTogether([caller], journal, { name: 'all', writers: 64, orders: 12 });
    await expectAllKept();
  });

  it('64 concurrent requests with one Idempotency-Key record one order', async () => {
    const before = journal.decisions;
    const order = { ...orderOf('the-same', 3), key: 'the same everywhere' };
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => send(caller, journal, order)),
    );
    expect(outcomes.every(({ kind }) => kind === 'acknowledged')).toBe(true);
    const first = outcomes.filter((one) => one.kind === 'acknowledged' && !one.replayed);
    expect(first).toHaveLength(1);
    expect(journal.decisions).toBe(before + order.size);
    await expectAllKept();
  });
});
