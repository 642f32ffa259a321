import type { TestProject } from 'vitest/node';
import { migrate } from '#server/platform/migrate';
import { postgresAddress } from '#server/platform/postgres-address';
import { findCitus } from './citus-install.js';
import { startCitus } from './citus-server.js';
import { type Pooler, startPgBouncer } from './pgbouncer.js';
import { findPostgres } from './postgres-install.js';
import { ROLE, SCHEMA } from './postgres-names.js';
import { startPostgres } from './postgres-server.js';

/** Nothing has to survive: a test that kills a server starts its own, durable one. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Runs once for all pg tests. */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const isCluster = project.name === 'citus';
  const found = isCluster ? findCitus() : findPostgres();
  if ('reason' in found) {
    const what = isCluster ? 'a cluster of Citus' : 'a PostgreSQL server';
    console.warn(`\nSKIPPED: the tests on ${what}: ${found.reason}.\n`);
    project.provide('postgres', found);
    return undefined;
  }
  // Tests that measure time need commits as slow as on a real server.
  const speed = project.name.startsWith('alone.') ? {} : NOT_DURABLE;
  // A project without `env` has none, whatever the type says.
  const { TMPDIR: parent } = { ...project.config.env };
  const options = { settings: { max_connections: '300', ...speed }, parent };
  const { server, stop } = await (isCluster ? cluster(options) : alone(options));
  const { name: template, url } = await server.createDatabase();
  const urls = { url, ownerUrl: url, directUrl: null, readUrl: null };
  await migrate(postgresAddress({ ...urls, role: ROLE, schema: SCHEMA }, []));
  const pooler = await poolerOf(server.handle.port);
  project.provide('postgres', { ...server.handle, template, poolerPort: pooler?.port ?? null });
  return async () => {
    await pooler?.stop();
    await stop();
  };
}

type Options = NonNullable<Parameters<typeof startPostgres>[0]>;

async function alone(options: Options) {
  const server = await startPostgres(options);
  return { server, stop: () => server.stop() };
}

async function cluster(options: Options) {
  const { coordinator, stop } = await startCitus(options);
  return { server: coordinator, stop };
}

/** `LEDGER_TEST_POOLER=transaction`: the service reaches the server through PgBouncer in that mode. */
async function poolerOf(serverPort: number): Promise<Pooler | undefined> {
  const mode = process.env.LEDGER_TEST_POOLER;
  return mode === undefined ? undefined : startPgBouncer(serverPort, { pool_mode: mode });
}
