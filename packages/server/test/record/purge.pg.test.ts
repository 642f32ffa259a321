import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from '../support/caller.js';
import {
  eraseMarked,
  filesHolding,
  type Marked,
  recordMarked,
  textsOf,
} from '../support/marked.js';
import { describePostgres } from '../support/postgres.js';
import {
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { sampleAndEmpty, sampledColumns } from './support/samples.js';

describePostgres('Purge on PostgreSQL', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let environment: Environment;
  let service: ServiceProcess;
  let caller: Caller;

  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
    const url = (user: string) => database.url.replace('//postgres@', `//${user}@`);
    await asSuperuser(`create role the_owner login createrole; create role the_service login;
      alter database ${database.name} owner to the_owner`);
    environment = {
      ...postgresEnvironment(url('the_service')),
      LEDGER_DATABASE_OWNER_URL: url('the_owner'),
    };
    const { live } = await createOrganisation(environment, 'acme');
    service = await startService(environment);
    caller = createCaller(service.url, live);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
    await server.stop();
  });

  const asSuperuser = (text: string) =>
    withClient({ connectionString: database.url }, (client) => client.query(text));
  const run = (...args: string[]) => runCommand(['purge', ...args], environment);

  async function recordAndErase(): Promise<Marked[]> {
    const marked = await recordMarked(caller);
    await asSuperuser('analyze');
    await asSuperuser('checkpoint');
    for (const { texts } of marked) expect(filesHolding(server.data, texts)).not.toEqual([]);
    await eraseMarked(caller, marked);
    return marked;
  }

  it('A purge names the rights that the owner lacks, and does the rest', async () => {
    await recordAndErase();
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /the write-ahead log: permission denied .* grant the owner pg_checkpoint/,
    );
    expect(stderr).not.toMatch(/pg_statistic|decisions/);
  });

  it('A purge with exactly these rights leaves no erased text in any file', async () => {
    await asSuperuser(`grant pg_checkpoint, pg_monitor to the_owner;
      grant execute on function pg_switch_wal() to the_owner`);
    const texts = textsOf(await recordAndErase());
    const { code, stdout, stderr } = await run('--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).log_files).toBeGreaterThan(0);
    expect(filesHolding(server.handle.folder, texts)).toEqual([]);
    const verified = await runCommand(['verify', '--json'], environment);
    expect(JSON.parse(verified.stdout)).toMatchObject({ is_valid: true });
    await server.restart();
    expect(filesHolding(server.handle.folder, texts)).toEqual([]);
  });

  it('A purge leaves no sample of a table that has become empty', async () => {
    const owner = { connectionString: database.url };
    await sampleAndEmpty(owner);
    expect((await run()).code).toBe(0);
    expect(await sampledColumns(owner)).toEqual([]);
  });

  it('A purge reports a transaction older than the erasure that keeps erased data', async () => {
    await withClient({ connectionString: database.url }, async (reader) => {
      await reader.query('begin isolation level repeatable read; select 1 from organisations');
      const texts = textsOf(await recordAndErase());
      const { code, stderr } = await run();
      expect(code).toBe(2);
      expect(stderr).toMatch(/ decisions: an older transaction still needs the old rows/);
      await reader.query('commit');
      expect((await run()).code).toBe(0);
      expect(filesHolding(server.data, texts)).toEqual([]);
    });
  });

  it('A purge reports a replication slot that keeps the log', async () => {
    await asSuperuser("select pg_create_physical_replication_slot('standby', true)");
    const texts = textsOf(await recordAndErase());
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toMatch(/the write-ahead log: a replication slot/);
    await asSuperuser("select pg_drop_replication_slot('standby')");
    expect((await run()).code).toBe(0);
    expect(filesHolding(server.data, texts)).toEqual([]);
  });
});
