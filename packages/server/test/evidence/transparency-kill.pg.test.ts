import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { type Client, decision } from '../support/client.js';
import { decide } from '../support/estimates.js';
import { copyDatabase, createMigratedDatabase, describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';
import { expectNoFork, published, round, storedCheckpoints } from './support/log-tools.js';

describePostgres('Real processes that sign checkpoints', () => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
    await round(bed, client);
    await decide(client);
  });
  afterAll(() => bed.close());

  const worker = () => startService({ ...bed.environment, LEDGER_ROLE: 'worker' });
  const counts = async () => [
    (await storedCheckpoints(bed, client, 'decisions')).length,
    (await storedCheckpoints(bed, client, 'activity')).length,
  ];

  /** A worker that stops signs what is left: it is held there by a lock, and killed with SIGKILL. */
  async function killWhile(lock: string, waits: string): Promise<void> {
    const [holder, observer] = [0, 1].map(() => new pg.Client(bed.environment.DATABASE_URL));
    if (holder === undefined || observer === undefined) throw new Error('no connections');
    await holder.connect();
    await observer.connect();
    try {
      const signing = await worker();
      await holder.query('begin');
      await holder.query(lock);
      const stopped = signing.stop().catch(() => undefined);
      await until('the worker waits at the step', () => isWaiting(observer, waits));
      await signing.kill();
      await stopped;
    } finally {
      await holder.end();
      await observer.end();
    }
  }

  it('A process that is killed after it signed and before it stored leaves no fork', async () => {
    await killWhile('lock table checkpoints in exclusive mode', '%insert into checkpoints%');
    expect(await counts()).toEqual([1, 1]);
    await decide(client);
    await (await worker()).stop();
    expect((await published(client, 'decisions')).size).toBe(2);
    await expectNoFork(bed, client);
  });

  it('A process that is killed between both checkpoints of a round leaves no fork', async () => {
    const { ledgerId } = await scopeOf(bed, client);
    await killWhile(
      `select from tlogs where ledger_id = '${ledgerId}' and chain = 'activity' for update`,
      '%from tlogs%for update%',
    );
    expect(await counts()).toEqual([2, 1]);
    await (await worker()).stop();
    expect(await counts()).toEqual([2, 2]);
    await expectNoFork(bed, client);
  });

  it('Two workers that sign at once leave no fork', async () => {
    const workers = await Promise.all([worker(), worker()]);
    await Promise.all([decide(client), decide(client)]);
    await Promise.all(workers.map((one) => one.stop()));
    expect((await published(client, 'decisions')).size).toBe(3);
    await expectNoFork(bed, client);
  });
});

/** Whether a statement like this waits for a lock. */
async function isWaiting(observer: pg.Client, like: string): Promise<boolean> {
  const { rows } = await observer.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [like],
  );
  return rows.length > 0;
}

describePostgres('A database that is restored from an older backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-restored-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Records decisions, and stops the process, which signs them. */
  async function record(environment: Environment, key: string, count: number) {
    const service: ServiceProcess = await startService(environment);
    const { call, close } = createCaller(service.url, key);
    for (let at = 0; at < count; at += 1) {
      const sent = await call('POST', '/api/v1/decisions', decision({ inputs: { count, at } }), {
        prefer: 'receipt=signed',
      });
      expect(sent.status).toBe(201);
    }
    close();
    await service.stop();
    return service.output();
  }

  it('A restored database signs no second history, and says so', async () => {
    const database = await createMigratedDatabase();
    const environmentOf = (url: string) => ({
      ...postgresEnvironment(url),
      LEDGER_DATA_DIR: folder,
    });
    const environment = environmentOf(database.url);
    const { live } = await createOrganisation(environment, 'Restored');
    await record(environment, live, 3);
    const backup = await copyDatabase(database);
    await record(environment, live, 2);
    expect(await signedSizes(database.url)).toEqual([3, 5]);
    await expect(record(environmentOf(backup.url), live, 4)).rejects.toThrow(
      /the chain of activity has \d+ records, and this machine signed a checkpoint of \d+/,
    );
    expect(await signedSizes(backup.url)).toEqual([3]);
    await database.drop();
    await backup.drop();
  });
});

async function signedSizes(url: string): Promise<number[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows }: { rows: { size: string }[] } = await client.query(
      `select size from checkpoints where chain = 'decisions' order by size`,
    );
    return rows.map(({ size }) => Number(size));
  } finally {
    await client.end();
  }
}
