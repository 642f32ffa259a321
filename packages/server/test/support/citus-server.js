// @ts-check
// JavaScript, because the server of the tests is.
import { findCitus } from './citus-install.js';
import { runOn, startPostgres } from './postgres-server.js';

const WORKERS = 2;

/** Each database has a background process, and every test file a database. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  max_worker_processes: '200',
  wal_level: 'logical',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.shard_count': '4',
  'decision_ledger.cluster': 'trial',
  'citus.enable_statistics_collection': 'off',
};

/**
 * Starts a coordinator and two workers on free ports. Databases are created on all of them, with the extension and the
 * nodes.
 * @param {{ settings?: Record<string, string>, parent?: string | undefined }} [options] see startPostgres
 */
export async function startCitus({ settings = {}, parent } = {}) {
  const found = findCitus();
  if ('reason' in found) throw new Error(`Citus cannot be started: ${found.reason}`);
  /** @type {import('./postgres-server.js').PostgresServer[]} */
  const nodes = [];
  const stop = async () => {
    for (const node of nodes) await node.stop();
  };
  try {
    for (let count = 0; count <= WORKERS; count += 1) {
      nodes.push(await startPostgres({ settings: { ...SETTINGS, ...settings }, parent, found }));
    }
    const [coordinator, ...workers] = nodes;
    if (coordinator === undefined) throw new Error('there is no coordinator');
    const ports = workers.map(({ handle }) => handle.port);
    coordinator.handle = { ...coordinator.handle, workers: ports };
    const { name, url } = await coordinator.createDatabase();
    for (const port of [coordinator.handle.port, ...ports]) {
      const node = new URL(url);
      node.port = String(port);
      await runOn(node.href, 'CREATE EXTENSION citus');
    }
    await runOn(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.handle.port})`);
    for (const port of ports) await runOn(url, `SELECT citus_add_node('127.0.0.1', ${port})`);
    coordinator.handle = { ...coordinator.handle, base: name };
    return { coordinator, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
