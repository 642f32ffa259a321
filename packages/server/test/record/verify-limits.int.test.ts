import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits, type Reply } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import { fillDataFolder } from '../support/engine-template.js';
import { expectKept, verifyOverHttp } from '../support/expect-kept.js';
import { Journal, orderOf, runWriters, send } from '../support/load.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';

const DECISIONS = 8000;
const VERIFY = '/api/v1/decisions/chain/verify';
/** Ranges that contain everything, each different from the others. */
const WALKS = ['2001', '2002', '2003'].map((year) => `${VERIFY}?start_date=${year}-01-01`);

describe(`Verification of ${DECISIONS} decisions`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-verify-'));
  const journal = new Journal();
  let service: ServiceProcess;
  let live: Caller;
  let test: Caller;

  beforeAll(async () => {
    await fillDataFolder(dataDir);
    service = await startService(embeddedEnvironment(dataDir));
    const keys = readKeys(dataDir);
    live = createCaller(service.url, keys.live);
    test = createCaller(service.url, keys.test);
    await liftRateLimits(live);
    await runWriters(8, async (writer, n) => {
      const order = { name: `${writer}-${n}`, batch: true, size: 100, key: null };
      expect(await send(live, journal, order)).toMatchObject({ kind: 'acknowledged' });
      return n + 1 < DECISIONS / 100 / 8;
    });
  });
  afterAll(async () => {
    live.close();
    test.close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  const verify = (path: string, caller = live): Promise<Reply> => caller.call('GET', path);

  it('Concurrent requests for the same verification share one walk', async () => {
    // Twenty walks would be refused: there are at most two.
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(VERIFY)));
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: { is_valid: true, records_checked: DECISIONS } });
    }
  });

  it('A third concurrent verification of a ledger is refused with 503 and Retry-After', async () => {
    const [others, ...groups] = await Promise.all([
      Promise.all([verify(VERIFY, test), verify('/api/v1/activity/chain/verify', test)]),
      ...WALKS.map((path) => Promise.all([1, 2, 3].map(() => verify(path)))),
    ]);
    expect(groups.map((replies) => replies.map(({ status }) => status)).sort()).toEqual([
      [200, 200, 200],
      [200, 200, 200],
      [503, 503, 503],
    ]);
    const refused = groups.flat().filter(({ status }) => status === 503);
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({ error: { code: 'unavailable' } });
    }
    // Another ledger has its own two.
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('Verifications are accepted again after the running walks have ended', async () => {
    for (const path of WALKS) expect((await verify(path)).status).toBe(200);
  });

  it('A verification leaves the service free to answer others', async () => {
    const latencies: number[] = [];
    let walking = true;
    const walks = (async () => {
      const started = performance.now();
      for (const path of WALKS) expect((await verify(path)).status).toBe(200);
      walking = false;
      return performance.now() - started;
    })();
    const probe = createCaller(service.url, '');
    while (walking) {
      const started = performance.now();
      expect((await probe.call('GET', '/healthz')).status).toBe(200);
      latencies.push(performance.now() - started);
      await sleep(5);
    }
    probe.close();
    const walkMs = (await walks) / WALKS.length;
    const sorted = latencies.sort((a, b) => a - b);
    const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
    console.info(
      `during walks of ${walkMs.toFixed(0)} ms, ${sorted.length} calls of /healthz took ` +
        `${share(0.5).toFixed(1)} ms in the median, 95 in 100 at most ${share(0.95).toFixed(1)} ms`,
    );
    // On the main thread a walk would delay every call for its whole duration.
    expect(sorted.length).toBeGreaterThan(20);
    expect(share(0.5)).toBeLessThan(walkMs / 10);
    expect(share(0.95)).toBeLessThan(walkMs / 3);
  });

  it('Verification finds a growing chain valid', async () => {
    const before = await verifyOverHttp(live);
    let verifying = true;
    const writing = runWriters(4, async (writer, n) => {
      const outcome = await send(live, journal, orderOf(`growing-${writer}`, n));
      expect(outcome).toMatchObject({ kind: 'acknowledged' });
      return verifying;
    });
    let checked = before.records_checked;
    for (let n = 0; n < 4; n += 1) {
      const acknowledged = journal.decisions;
      const verification = await verifyOverHttp(live);
      expect(verification).toMatchObject({ is_valid: true, first_broken_link: null });
      expect(verification.records_checked).toBe(verification.head.seq);
      expect(verification.records_checked).toBeGreaterThanOrEqual(acknowledged);
      checked = verification.records_checked;
    }
    verifying = false;
    await writing;
    expect(checked).toBeGreaterThan(before.records_checked);
    await expectKept(await embeddedConnection(dataDir), live, journal);
  });
});
