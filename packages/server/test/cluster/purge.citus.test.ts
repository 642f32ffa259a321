import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from '../support/caller.js';
import { startCitus } from '../support/citus-server.js';
import { eraseMarked, filesHolding, recordMarked, textsOf } from '../support/marked.js';
import { describePostgres } from '../support/postgres.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('Purge of a cluster', () => {
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let environment: Environment;
  let service: ServiceProcess;
  let caller: Caller;

  beforeAll(async () => {
    cluster = await startCitus();
    const { url } = await cluster.coordinator.createDatabase();
    environment = postgresEnvironment(url);
    const { live } = await createOrganisation(environment, 'acme');
    service = await startService(environment);
    caller = createCaller(service.url, live);
  });
  afterAll(async () => {
    caller?.close();
    await service?.stop();
    await cluster?.stop();
  });

  const nodes = () => [cluster.coordinator, ...cluster.workers];
  const holding = (texts: readonly string[]) =>
    nodes().flatMap(({ data }) => filesHolding(data, texts));

  async function recordAndErase(): Promise<string[]> {
    const marked = await recordMarked(caller);
    for (const { url } of nodes()) {
      await withClient({ connectionString: url }, (client) => client.query('checkpoint'));
    }
    expect(holding(textsOf(marked))).not.toEqual([]);
    await eraseMarked(caller, marked);
    return textsOf(marked);
  }

  it('A purge leaves no erased text in any file of any node', async () => {
    const texts = await recordAndErase();
    const { code, stderr } = await runCommand(['purge', '--json'], environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(holding(texts)).toEqual([]);
    const verified = await runCommand(['verify', '--json'], environment);
    expect(JSON.parse(verified.stdout)).toMatchObject({ is_valid: true });
  });

  it('A purge names each node whose log is kept', async () => {
    const [worker] = cluster.workers;
    const send = (text: string) =>
      withClient({ connectionString: worker?.url }, (client) => client.query(text));
    await send("select pg_create_physical_replication_slot('standby', true)");
    const texts = await recordAndErase();
    const { code, stderr } = await runCommand(['purge'], environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`write-ahead log of 127.0.0.1:${worker?.handle.port}: a replication slot`),
    );
    await send("select pg_drop_replication_slot('standby')");
    expect((await runCommand(['purge'], environment)).code).toBe(0);
    expect(holding(texts)).toEqual([]);
  });
});
