import { afterAll, beforeAll, expect, it } from 'vitest';
import { JOBS_VERSION } from '#server/platform/jobs/migrate-jobs';
import { migrate } from '#server/platform/migrate';
import { addressOf, createDatabase, describePostgres } from '../support/postgres.js';
import { SCHEMA } from '../support/postgres-names.js';
import { startPostgres, type TestDatabase } from '../support/postgres-server.js';
import { postgresEnvironment, runCommand } from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { expectAppendOnly } from './support/append-only.js';
import { expectSnapshot } from './support/schema-snapshot.js';

const SHIPPED = ['0001_schema.sql'];

describePostgres('Migrations', () => {
  let database: TestDatabase;
  const connection = () => ({ connectionString: database.url });
  const migrated = () => migrate(addressOf(database.url));
  const change = (statement: string) =>
    withClient(connection(), (client) => client.query(statement));

  const jobsVersions = () =>
    withClient(connection(), async (client) => {
      const { rows } = await client.query<{ version: number }>(
        `select version::int as version from ${SCHEMA}_jobs.version`,
      );
      return rows.map(({ version }) => version);
    });

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('Twenty concurrent starts on an empty database apply the migrations once, and all succeed', async () => {
    const starts = Array.from({ length: 20 }, () => migrated());
    const reports = await Promise.all(starts);
    expect(reports.map(({ version }) => version)).toEqual(Array(20).fill(SHIPPED.length));
    const applied = reports.map((report) => report.applied).filter(({ length }) => length > 0);
    expect(applied).toEqual([SHIPPED]);
    expect(await jobsVersions()).toEqual([JOBS_VERSION]);
  });

  it('A later start has nothing to migrate', async () => {
    expect(await migrated()).toEqual({ applied: [], version: SHIPPED.length });
  });

  it('Migrations create the schema of the snapshot', async () => {
    await expectSnapshot(connection());
  });

  it('The service role cannot change or remove records', async () => {
    await expectAppendOnly(connection(), true);
  });

  it('A database migrated by a newer release is refused with the reason', async () => {
    await change("insert into schema_migrations values (99, '0099_newer.sql', 'x')");
    const message = new RegExp(
      `schema version 99, newer than this release supports \\(${SHIPPED.length}\\): start the newer release`,
    );
    await expect(migrated()).rejects.toThrow(message);
    for (const command of ['serve', 'migrate']) {
      const { code, stderr } = await runCommand([command], postgresEnvironment(database.url));
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(2);
    }
    await change('delete from schema_migrations where version = 99');
  });

  it('Job tables created by a newer release are refused with the reason', async () => {
    const message = /background jobs are newer than this release supports: start the newer release/;
    await change(`update ${SCHEMA}_jobs.version set version = version + 1`);
    await expect(migrated()).rejects.toThrow(message);
    for (const command of ['serve', 'migrate']) {
      const { code, stderr } = await runCommand([command], postgresEnvironment(database.url));
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(2);
    }
    expect(await jobsVersions()).toEqual([JOBS_VERSION + 1]);
    await change(`update ${SCHEMA}_jobs.version set version = version - 1`);
    expect(await migrated()).toEqual({ applied: [], version: SHIPPED.length });
  });

  it('A start continues after one that died between the ledger tables and the job tables', async () => {
    const half = await createDatabase();
    const own = { connectionString: half.url };
    const address = addressOf(half.url);
    try {
      await migrate(address);
      await withClient(own, (client) => client.query(`drop schema ${SCHEMA}_jobs cascade`));
      const starts = Array.from({ length: 5 }, () => migrate(address));
      for (const { applied } of await Promise.all(starts)) expect(applied).toEqual([]);
      await expectAppendOnly(own, true);
    } finally {
      await half.drop();
    }
  });

  it('A migration that was applied with other content is refused', async () => {
    await change('update schema_migrations set checksum = reverse(checksum) where version = 1');
    await expect(migrated()).rejects.toThrow(
      /0001_schema\.sql was applied with different content than in this release/,
    );
    await change('update schema_migrations set checksum = reverse(checksum) where version = 1');
    expect(await migrated()).toEqual({ applied: [], version: SHIPPED.length });
  });
});

describePostgres('First migrations of a server', () => {
  it('The role is created once by concurrent migrations of several databases', async () => {
    const server = await startPostgres();
    try {
      const databases = await Promise.all([1, 2, 3, 4].map(() => server.createDatabase()));
      const starts = databases.flatMap(({ url }) => Array.from({ length: 5 }, () => url));
      await Promise.all(starts.map((url) => migrate(addressOf(url))));
      for (const { url } of databases) await expectAppendOnly({ connectionString: url }, true);
    } finally {
      await server.stop();
    }
  });

  it('An owner who is not a superuser can migrate and let another login act as the role', async () => {
    const server = await startPostgres();
    try {
      const { name, url } = await server.createDatabase();
      await withClient({ connectionString: url }, (client) =>
        client.query(`create role the_owner login createrole; create role the_service login;
          alter database ${name} owner to the_owner`),
      );
      const as = (user: string) => url.replace('//postgres@', `//${user}@`);
      const address = addressOf(as('the_service'), as('the_owner'));
      const starts = Array.from({ length: 20 }, () => migrate(address));
      const reports = await Promise.all(starts);
      expect(reports.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
      await expectAppendOnly({ connectionString: as('the_service') }, true);
    } finally {
      await server.stop();
    }
  });
});
