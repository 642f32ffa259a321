import type pg from 'pg';
import { MigrationError } from '../migrate-names.js';

const OLDEST_MAJOR = 13;

/**
 * That somebody has asked for what is not ready: background work and some erasures fail in a cluster.
 * @throws MigrationError
 */
export async function requireTrial(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ wanted: string | null }>(
    "select current_setting('decision_ledger.cluster', true) as wanted",
  );
  if (rows[0]?.wanted === 'trial') return;
  throw new MigrationError(
    'the database has the extension citus, and the service does not run in a cluster yet: remove the extension, or, for a ' +
      "trial with data that may be lost, run `alter database … set decision_ledger.cluster = 'trial'` (docs/cluster.md)",
  );
}

/** @throws MigrationError on a node that cannot place tables */
export async function requireCoordinator(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; is_known: boolean; is_worker: boolean }>(
    `select (select extversion from pg_extension where extname = 'citus') as version,
      exists (select from pg_dist_node where groupid = 0) as is_known,
      (select groupid from pg_dist_local_group) <> 0 as is_worker`,
  );
  const [{ version, is_known, is_worker } = { version: '', is_known: false, is_worker: false }] =
    rows;
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new MigrationError(
      `Citus ${OLDEST_MAJOR} or newer is required, but the database has ${version}: upgrade the extension on all nodes`,
    );
  }
  if (is_worker) {
    throw new MigrationError(
      `${client.host}:${client.port} is a worker of a cluster: set DATABASE_URL to the coordinator`,
    );
  }
  if (!is_known) {
    throw new MigrationError(
      'the nodes of the cluster do not know their coordinator: run ' +
        `\`select citus_set_coordinator_host('<its address>', <its port>)\` on it`,
    );
  }
}

/**
 * That nobody writes while rows are moved.
 * @throws MigrationError
 */
export async function requireStopped(client: pg.Client, movesRows: boolean): Promise<void> {
  if (!movesRows) {
    throw new MigrationError(
      'the database has the extension citus, and its tables are not spread over the nodes yet: stop every process of ' +
        'the service, make a backup, and run `decision-ledger migrate`',
    );
  }
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name like 'decision-ledger%'
      -- Those wait for this one.
      and application_name <> 'decision-ledger migrate'`,
  );
  const others = rows[0]?.others ?? 0;
  if (others === 0) return;
  throw new MigrationError(
    `the rows can only be moved to the nodes while nobody uses them, and the service has ${others} connections: stop ` +
      'every process of the service, and try again',
  );
}
