import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller, liftRateLimits } from '../support/caller.js';
import { startCitus } from '../support/citus-server.js';
import { expectValid } from '../support/expect-kept.js';
import { freePort } from '../support/free-port.js';
import { keepWriting } from '../support/keep-writing.js';
import { Journal, writeTogether } from '../support/load.js';
import { describePostgres } from '../support/postgres.js';
import { unprivilegedAccount } from '../support/postgres-install.js';
import { PostgresServer, type TestDatabase } from '../support/postgres-server.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  runCommand,
  startService,
} from '../support/service-process.js';
import { chainFaults, readStoredChain, withClient } from '../support/stored-chain.js';

/** Of each node, beside its data. */
const ARCHIVE = '../archive';
const MARK = 'before-restore';

describePostgres('A backup of a cluster', () => {
  const before = new Journal();
  const later = new Journal();
  const restored: PostgresServer[] = [];
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let database: TestDatabase;
  let environment: Environment;
  let key: string;

  beforeAll(async () => {
    const archive_command = `mkdir -p ${ARCHIVE} && cp %p ${ARCHIVE}/%f`;
    cluster = await startCitus({ settings: { archive_mode: 'on', archive_command } });
    database = await cluster.coordinator.createDatabase();
    environment = postgresEnvironment(database.url);
    key = (await createOrganisation(environment, 'acme')).live;
  });
  afterAll(async () => {
    for (const node of restored) await node.kill();
    await cluster?.stop();
  });

  const nodes = () => [cluster.coordinator, ...cluster.workers];
  const ask = <Row extends object>(url: string, text: string) =>
    withClient({ connectionString: url }, async (client) => (await client.query<Row>(text)).rows);

  it('Base backups, the logs of all nodes and one mark are made while the service runs', async () => {
    const service = await startService(environment);
    const caller = createCaller(service.url, key);
    await liftRateLimits(caller);
    const early = keepWriting(caller, before, 'before');
    await early.acknowledged(100);
    for (const node of nodes()) restored.push(await baseBackup(node));
    await early.stop();
    const load = keepWriting(caller, later, 'later');
    await load.acknowledged(50);
    await ask(database.url, `select citus_create_restore_point('${MARK}')`);
    await load.acknowledged(50);
    await load.stop();
    caller.close();
    await service.stop();
    for (const node of nodes()) await archived(node);
    for (const node of nodes()) await node.kill();
  });

  it('Nodes that are restored to the mark have all that was acknowledged before, and every chain is valid', async () => {
    for (const node of restored) {
      await node.start();
      await expect
        .poll(() => ask(node.url, 'select pg_is_in_recovery() as is_open'))
        .toEqual([{ is_open: false }]);
    }
    await correctAddresses();
    const url = urlOn(restored[0]);
    const { code, stdout, stderr } = await runCommand(['verify'], postgresEnvironment(url));
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    const chain = await readStoredChain({ connectionString: url });
    expect(chainFaults(chain)).toEqual([]);
    const hashes = new Map(chain.decisions.map(({ id, hash }) => [id, hash]));
    for (const { decision_id, hash } of [...before.acknowledged.values()].flat()) {
      expect(hashes.get(decision_id)).toBe(hash);
    }
    expect(chain.head.seq).toBeLessThan(before.decisions + later.decisions);
    const service = await startService(postgresEnvironment(url));
    const caller = createCaller(service.url, key);
    await writeTogether([caller], new Journal(), { name: 'restored', writers: 4, orders: 5 });
    await expectValid(caller, new Journal());
    caller.close();
    await service.stop();
  });

  const urlOn = (node: PostgresServer | undefined) => {
    const url = new URL(database.url);
    url.port = String(node?.handle.port);
    return url.href;
  };

  /** The nodes have other ports than the ones that were saved. */
  async function correctAddresses(): Promise<void> {
    const url = urlOn(restored[0]);
    const ports = new Map(nodes().map(({ handle }, n) => [handle.port, restored[n]?.handle.port]));
    const saved = await ask<{ id: number; port: number }>(
      url,
      'select nodeid as id, nodeport as port from pg_dist_node order by groupid',
    );
    for (const { id, port } of saved) {
      await ask(url, `select citus_update_node(${id}, '127.0.0.1', ${ports.get(port)})`);
    }
  }

  /** Waits until the log with the mark is in the archive. */
  async function archived({ url }: PostgresServer): Promise<void> {
    const [{ file } = { file: '' }] = await ask<{ file: string }>(
      url,
      'select pg_walfile_name(pg_current_wal_lsn()) as file',
    );
    await ask(url, 'select pg_switch_wal()');
    await expect
      .poll(() =>
        ask(url, `select last_archived_wal >= '${file}' as is_done from pg_stat_archiver`),
      )
      .toEqual([{ is_done: true }]);
  }

  /** Into a folder of its own, with a port of its own. */
  async function baseBackup(node: PostgresServer): Promise<PostgresServer> {
    const { handle } = node;
    const folder = join(handle.folder, 'restored');
    const account = unprivilegedAccount();
    execFileSync('mkdir', [folder], { ...account });
    const copy = new PostgresServer({
      ...{ ...handle, folder, port: await freePort() },
      settings: {
        ...{ ...handle.settings, archive_mode: 'off' },
        restore_command: `cp ${join(handle.folder, 'archive')}/%f %p`,
        ...{ recovery_target_name: MARK, recovery_target_action: 'promote' },
      },
    });
    execFileSync(
      join(handle.binaries, 'pg_basebackup'),
      ['-d', node.url, '-D', copy.data, '-X', 'none', '-c', 'fast'],
      { ...account, cwd: folder, env: { PATH: process.env.PATH }, stdio: 'pipe' },
    );
    execFileSync('touch', [join(copy.data, 'recovery.signal')], { ...account });
    return copy;
  }
});
