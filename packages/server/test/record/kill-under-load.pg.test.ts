import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller, liftRateLimits } from '../support/caller.js';
import { expectKept } from '../support/expect-kept.js';
import { keepWriting } from '../support/keep-writing.js';
import { Journal, type Outcome } from '../support/load.js';
import { createDatabase, describePostgres, describeStandby } from '../support/postgres.js';
import {
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  type Keys,
  postgresEnvironment,
  startService,
} from '../support/service-process.js';
import { standbyUrl, startStandby } from '../support/standby.js';
import { withClient } from '../support/stored-chain.js';
import { summary, survivesKills } from './support/kill-rounds.js';
import { type MovingAddress, startMovingAddress } from './support/moving-address.js';

/** The long run has many. */
const KILLS = 2;

describePostgres('Kills under load on PostgreSQL', () => {
  let database: TestDatabase;
  let environment: Environment;
  let keys: Keys;

  beforeAll(async () => {
    database = await createDatabase();
    environment = postgresEnvironment(database.url);
    keys = await createOrganisation(environment, 'acme');
  });
  afterAll(() => database.drop());

  const connection = async () => ({ connectionString: database.url });

  it(`${KILLS} kills under load lose nothing acknowledged, and retries record nothing twice`, async () => {
    await survivesKills({ environment, liveKey: () => keys.live, connection }, KILLS);
  }, 900_000);
});

describePostgres('Killed PostgreSQL', () => {
  const ROUNDS = 2;
  const journal = new Journal();
  let server: PostgresServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
  });
  afterAll(() => server.stop());

  it('A service whose PostgreSQL is killed answers 503 with Retry-After, recovers by itself and loses nothing acknowledged', async () => {
    const environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    const service = await startService(environment);
    const caller = createCaller(service.url, live);
    await liftRateLimits(caller);
    const recoveries: number[] = [];
    const refused: Outcome[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = keepWriting(caller, journal, `${round}`);
      await load.acknowledged(50);
      await server.kill();
      await load.refused(30);
      const started = performance.now();
      await server.start();
      await load.acknowledged(50);
      recoveries.push((performance.now() - started) / 1000);
      refused.push(...(await load.stop()));
    }
    const others = refused.filter(
      (one) =>
        one.kind !== 'refused' || one.status !== 503 || !/^[1-9]\d*$/.test(one.retryAfter ?? ''),
    );
    expect(others).toEqual([]);
    await expectKept({ connectionString: database.url }, caller, journal);
    caller.close();
    await service.stop();
    console.info(
      `${ROUNDS} crashes of PostgreSQL: ${journal.decisions} decisions acknowledged, ` +
        `${refused.length} requests refused; from start to recovery: ${summary(recoveries)}`,
    );
  });
});

describeStandby('A primary whose synchronous standby is promoted', () => {
  const journal = new Journal();
  let server: PostgresServer;
  let standby: PostgresServer;
  let database: TestDatabase;
  let address: MovingAddress;

  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
    address = await startMovingAddress(server.handle.port);
    standby = await startStandby(server);
    // From now on, a commit waits until the standby has it.
    await withClient({ connectionString: server.url }, async (client) => {
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
    });
  });
  afterAll(async () => {
    address.close();
    await standby.kill();
    await server.stop();
  });

  it('Nothing acknowledged is lost, clients get 503 meanwhile, and services recover by themselves', async () => {
    const environment = postgresEnvironment(address.url(database.url));
    const { live } = await createOrganisation(environment, 'acme');
    const service = await startService(environment);
    const caller = createCaller(service.url, live);
    await liftRateLimits(caller);
    const load = keepWriting(caller, journal, 'failover');
    await load.acknowledged(200);
    await server.kill();
    await load.refused(30);
    const promoted = standbyUrl(database.url, standby);
    await withClient({ connectionString: promoted }, (client) =>
      client.query('select pg_promote()'),
    );
    const started = performance.now();
    address.move(standby.handle.port);
    await load.acknowledged(200);
    const recovery = (performance.now() - started) / 1000;
    const refused = await load.stop();
    expect(
      refused.filter(
        ({ kind, ...rest }) => kind !== 'refused' || !('status' in rest) || rest.status !== 503,
      ),
    ).toEqual([]);
    await expectKept({ connectionString: promoted }, caller, journal);
    caller.close();
    await service.stop();
    console.info(
      `failover: ${journal.decisions} decisions acknowledged, ${refused.length} requests refused; from the promotion to ` +
        `recovery: ${recovery.toFixed(1)} s`,
    );
  });
});
