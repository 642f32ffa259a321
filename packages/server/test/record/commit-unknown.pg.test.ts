import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { expectKept } from '../support/expect-kept.js';
import { Journal, type Outcome, orderOf, runWriters, send } from '../support/load.js';
import { createDatabase, describePostgres } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres-server.js';
import {
  createOrganisation,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { readStoredChain, withClient } from '../support/stored-chain.js';
import { type Cut, type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.js';

describePostgres('Connections lost during commit', () => {
  const journal = new Journal();
  let database: TestDatabase;
  let proxy: CuttingProxy;
  let service: ServiceProcess;
  let caller: Caller;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await startCuttingProxy(database.url);
    const direct = postgresEnvironment(database.url);
    const { live } = await createOrganisation(direct, 'acme');
    service = await startService({
      ...direct,
      DATABASE_URL: proxy.url(database.url),
      LEDGER_DATABASE_OWNER_URL: database.url,
    });
    caller = createCaller(service.url, live);
    await liftRateLimits(caller);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
    proxy.close();
    await database.drop();
  });

  const connection = () => ({ connectionString: database.url });

  async function sendThrough(cut: Cut, n: number): Promise<{ outcome: Outcome; kept: boolean }> {
    const before = proxy.cuts;
    // Without an Idempotency-Key, only the service can find out whether the commit took effect.
    const order = { ...orderOf(cut.replaceAll(' ', '-'), n), key: null };
    proxy.arm(cut);
    const outcome = await send(caller, journal, order);
    expect(proxy.cuts).toBe(before + 1);
    const { decisions } = await readStoredChain(connection());
    return { outcome, kept: decisions.some(({ request }) => request === order.name) };
  }

  const acknowledged = { outcome: { kind: 'acknowledged' }, kept: true };

  it('A commit whose answer is lost is answered with the receipts', async () => {
    for (const n of [0, 1, 2, 3]) {
      expect(await sendThrough('before the answer to COMMIT', n)).toMatchObject(acknowledged);
    }
    await expectKept(connection(), caller, journal);
  });

  it('A commit is answered with the receipts even if every answer of its transaction is lost', async () => {
    for (const n of [0, 1, 2, 3]) {
      expect(await sendThrough('before every answer', n)).toMatchObject(acknowledged);
    }
    await expectKept(connection(), caller, journal);
  });

  it('A commit that never reached the database is answered with 503, and nothing is kept', async () => {
    for (const n of [0, 1, 2, 3]) {
      expect(await sendThrough('before COMMIT', n)).toMatchObject({
        outcome: { kind: 'refused', status: 503, retryAfter: '1' },
        kept: false,
      });
    }
    await expectKept(connection(), caller, journal);
  });

  it('Connections cut under load never make an answer wrong, and retries record nothing twice', async () => {
    const refused: Outcome[] = [];
    let terminated = 0;
    const until = performance.now() + 4000;
    const cutting = withClient(connection(), async (client) => {
      while (performance.now() < until) {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name ~ '^decision-ledger( [0-9a-f]{16})*$' and datname = current_database()
          order by random() limit 1`,
        );
        terminated += rowCount ?? 0;
        await sleep(40);
      }
    });
    await runWriters(16, async (writer, n) => {
      const order = orderOf(`load-${writer}`, n);
      for (;;) {
        const outcome = await send(caller, journal, order);
        if (outcome.kind === 'acknowledged') break;
        refused.push(outcome);
        if (order.key === null) break;
      }
      return performance.now() < until;
    });
    await cutting;
    const others = refused.filter((one) => one.kind !== 'refused' || one.status !== 503);
    expect(others, service.output().slice(-5000)).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    await expectKept(connection(), caller, journal);
    console.info(
      `${terminated} connections cut under load: ${journal.decisions} decisions acknowledged, ` +
        `${refused.length} requests refused`,
    );
  });
});
