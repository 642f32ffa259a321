import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller, liftRateLimits } from '../support/caller.js';
import { startCitus } from '../support/citus-server.js';
import { expectKept } from '../support/expect-kept.js';
import { Journal, writeTogether } from '../support/load.js';
import { describePostgres } from '../support/postgres.js';
import { runOn, type TestDatabase } from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  runCommand,
  startCommand,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('A database that becomes a cluster', () => {
  const journal = new Journal();
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let database: TestDatabase;
  let environment: Environment;
  let key: string;

  beforeAll(async () => {
    cluster = await startCitus();
    database = await cluster.coordinator.createDatabase('template1');
    environment = postgresEnvironment(database.url);
    key = (await createOrganisation(environment, 'acme')).live;
    const service = await startService(environment);
    const caller = createCaller(service.url, key);
    await liftRateLimits(caller);
    await writeTogether([caller], journal, { name: 'before', writers: 4, orders: 20 });
    caller.close();
    await service.stop();
  });
  afterAll(() => cluster?.stop());

  const counts = () =>
    withClient({ connectionString: database.url }, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'public' order by 1",
      );
      const found: Record<string, number> = {};
      for (const { name } of rows) {
        const { rows: counted } = await client.query<{ n: number }>(
          `select count(*)::int as n from ${name}`,
        );
        found[name] = counted[0]?.n ?? -1;
      }
      return found;
    });

  it('A service does not start on a database with the extension whose tables are not spread', async () => {
    for (const node of [cluster.coordinator, ...cluster.workers]) {
      await runOn(node.url.replace(/postgres$/, database.name), 'CREATE EXTENSION citus');
    }
    const { code, stderr } = await runCommand(['org', 'list'], environment);
    expect(stderr).toMatch(/not spread over the nodes yet: stop every process/);
    expect(code).toBe(2);
  });

  it('A conversion is refused before the coordinator is known, and while the service is connected', async () => {
    const unknown = await runCommand(['migrate'], environment);
    expect(unknown.stderr).toMatch(/citus_set_coordinator_host/);
    const { coordinator, workers } = cluster;
    const [url] = [database.url];
    await runOn(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.handle.port})`);
    for (const { handle } of workers) {
      await runOn(url, `SELECT citus_add_node('127.0.0.1', ${handle.port})`);
    }
    const service = { connectionString: url, application_name: 'decision-ledger k1' };
    const { stderr } = await withClient(service, () => runCommand(['migrate'], environment));
    expect(stderr).toMatch(/the service has 1 connections/);
  });

  it('Conversions that are killed change nothing, and one that ends moves every row', async () => {
    const before = await counts();
    expect(before.decisions).toBe(journal.decisions);
    for (const ms of [400, 900]) {
      await killedAfter(ms);
      expect(await counts()).toEqual(before);
    }
    const { code, stderr } = await runCommand(['migrate'], environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await counts()).toEqual(before);
    const again = await runCommand(['migrate'], environment);
    expect(again.code).toBe(0);
  });

  it('The ledger goes on, and has every record', async () => {
    const service = await startService(environment);
    const caller = createCaller(service.url, key);
    await liftRateLimits(caller);
    await writeTogether([caller], journal, { name: 'after', writers: 4, orders: 10 });
    await expectKept({ connectionString: database.url }, caller, journal);
    caller.close();
    await service.stop();
  });

  async function killedAfter(ms: number): Promise<void> {
    const { kill, ended } = startCommand(['migrate'], environment);
    setTimeout(kill, ms);
    await ended;
  }
});
