import { readdir, readFile } from 'node:fs/promises';
import { sha256Hex } from '@decision-ledger/proof/hash';
import pg from 'pg';
import { areCommitsJoined, joinCommits } from './cluster/join-commits.js';
import { findMisplaced, hasCitus } from './cluster/layout.js';
import { type Placing, placeTables } from './cluster/place-tables.js';
import { requireTrial } from './cluster/requirements.js';
import { type DatabaseAddress, namesOf, serviceLogin, transactionSql } from './connection.js';
import { connectNamed } from './connection-error.js';
import type { DatabaseNames } from './database-names.js';
import { JOBS_VERSION, migrateJobs, selectJobsVersion } from './jobs/migrate-jobs.js';
import { MigrationError, makeNames } from './migrate-names.js';
import { connectOwner } from './sessions.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** `:"role"` stands for the role of the service, as in psql; other names are found in the search path. */
  readonly sql: string;
  /** That of the file, whatever its names stand for. */
  readonly checksum: string;
}

export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}

const DIRECTORY = new URL('../../migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** A number for each schema of a database, the same in every process. */
const LOCK = "hashtextextended('decision-ledger migrate ' || $1, 0)";

/** All migrations of this release, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => FILE_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8');
      const version = Number(FILE_NAME.exec(name)?.[1]);
      if (version !== index + 1) throw new MigrationError(`migration ${name} is out of sequence`);
      return { version, name, sql, checksum: sha256Hex(sql) };
    }),
  );
}

/**
 * Makes the role, the schemas and the tables, or what they lack. Safe to call from several processes at the same time.
 * @param connectMs how long to wait for the owner's connection; 0 waits as long as it takes
 * @param placing in a cluster
 */
export async function migrate(
  address: DatabaseAddress,
  connectMs?: number,
  placing: Placing = { movesRows: false },
): Promise<MigrationReport> {
  const migrations = await readMigrations();
  const names = namesOf(address);
  const client = await connectOwner(address, connectMs);
  try {
    // A session lock, because the job tables are created in separate transactions.
    await client.query(`select pg_advisory_lock(${LOCK})`, [names.schema]);
    await client.query('begin');
    await requirePostgres15(client);
    await makeNames(client, names, address.kind === 'embedded' ? 'postgres' : address.login);
    const report = await applyPending(client, migrations, names);
    await placeTables(client, names, placing);
    await client.query('commit');
    if (!(await migrateJobs(client, names))) throw newerJobs();
    await joinCommits(client, names);
    await client.query(`select pg_advisory_unlock(${LOCK})`, [names.schema]);
    return report;
  } catch (error) {
    // The session of the embedded engine outlives this client.
    await client.query('rollback').catch(() => undefined);
    const unlock = `select pg_advisory_unlock(${LOCK})`;
    await client.query(unlock, [names.schema]).catch(() => undefined);
    throw explain(error, names);
  } finally {
    await client.end();
  }
}

function newerJobs(): MigrationError {
  return new MigrationError(
    'the tables of background jobs are newer than this release supports: ' +
      'start the newer release of decision-ledger',
  );
}

/**
 * The schema version as the service's role sees it, or null if migrations are pending, which need the
 * owner.
 * @throws MigrationError for a schema that this release cannot use, ConnectionError
 */
export async function readSchemaVersion(
  address: DatabaseAddress,
  connectMs?: number,
): Promise<number | null> {
  const migrations = await readMigrations();
  const login = serviceLogin(address);
  const timed = connectMs === undefined ? {} : { connectionTimeoutMillis: connectMs };
  const client = await connectNamed({ ...login.client, ...timed }, 'DATABASE_URL');
  try {
    await client.query(transactionSql(login));
    const { rows } = await client.query<AppliedMigration>(APPLIED);
    for (const row of rows) refuseForeign(row, migrations);
    if (rows.length < migrations.length) return null;
    if (await isUnplaced(client, namesOf(address))) return null;
    const jobs = await client.query<{ version: number }>(selectJobsVersion(namesOf(address)));
    const version = jobs.rows[0]?.version ?? 0;
    if (version > JOBS_VERSION) throw newerJobs();
    return version === JOBS_VERSION ? rows.length : null;
  } catch (error) {
    // The role, the table or a right is missing: the database was never migrated.
    if (error instanceof pg.DatabaseError && /^(22023|42)/.test(error.code ?? '')) return null;
    throw error;
  } finally {
    await client.end();
  }
}

async function isUnplaced(client: pg.Client, names: DatabaseNames): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  await requireTrial(client);
  if ((await findMisplaced(client, names.schema)).length > 0) return true;
  return !(await areCommitsJoined(client, names));
}

function explain(error: unknown, { schema }: DatabaseNames): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return error;
  return new MigrationError(
    `the schema ${schema} must be migrated, and this login lacks the rights: ${error.message}. Set ` +
      'LEDGER_DATABASE_OWNER_URL to a login that owns the schema, or may create it',
    { cause: error },
  );
}

async function requirePostgres15(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  refuseOlder(Number(rows[0]?.version), client);
}

/**
 * @param version `server_version_num`, such as 140012
 * @throws MigrationError
 */
export function refuseOlder(
  version: number,
  { host, port }: { readonly host: string; readonly port: number },
): void {
  if (version >= 150_000) return;
  const shown = `${Math.floor(version / 10_000)}.${version % 10_000}`;
  throw new MigrationError(
    `PostgreSQL 15 or newer is required, but the server at ${host}:${port} is ${shown}: upgrade it, or ` +
      'set another one in DATABASE_URL',
  );
}

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  { schema, role }: DatabaseNames,
): Promise<MigrationReport> {
  // Functions that act for their owner keep this path.
  await client.query(`set local search_path = ${client.escapeIdentifier(schema)}, pg_temp`);
  await client.query(`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz(3) not null default now())`);
  const { rows } = await client.query<AppliedMigration>(APPLIED);
  for (const row of rows) refuseForeign(row, migrations);
  const pending = migrations.slice(rows.length);
  for (const migration of pending) {
    const grantee = client.escapeIdentifier(role);
    await client.query(migration.sql.replaceAll(':"role"', () => grantee));
    await client.query(
      'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
      [migration.version, migration.name, migration.checksum],
    );
  }
  return { applied: pending.map(({ name }) => name), version: migrations.length };
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const APPLIED = 'select version, name, checksum from schema_migrations order by version';

function refuseForeign(row: AppliedMigration, migrations: readonly Migration[]): void {
  const known = migrations[row.version - 1];
  if (known === undefined) {
    throw new MigrationError(
      `the database has schema version ${row.version}, newer than this release supports ` +
        `(${migrations.length}): start the newer release of decision-ledger`,
    );
  }
  if (known.checksum !== row.checksum) {
    throw new MigrationError(
      `migration ${row.name} was applied with different content than in this release: ` +
        'install the release that created this database, or restore the database',
    );
  }
}
