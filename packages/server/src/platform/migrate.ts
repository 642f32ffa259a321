import { readdir, readFile } from 'node:fs/promises';
import { sha256Hex } from '@decision-ledger/proof/hash';
import pg from 'pg';
import { SESSION } from './connection.js';
import { connectNamed } from './connection-error.js';
import { JOBS_VERSION, migrateJobs, SELECT_JOBS_VERSION } from './jobs/migrate-jobs.js';

/** A schema that this release cannot use. The message names the remedy. */
class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: number;
}

const DIRECTORY = new URL('../../migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** An arbitrary number, the same in every process. */
const ADVISORY_LOCK = 4_917_204_311;

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
 * Migrates the schema. Safe to call from several processes at the same time.
 * @param owner connects as the owner of the schema
 * @param loginRole the login role of the service, which may act as `ledger_app`
 */
export async function migrate(
  owner: pg.ClientConfig,
  loginRole?: string,
): Promise<MigrationReport> {
  const migrations = await readMigrations();
  const client = await connectNamed(owner, 'LEDGER_DATABASE_OWNER_URL');
  try {
    await client.query(SESSION);
    // A session lock, because the job tables are created in separate transactions.
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query('begin');
    await requirePostgres15(client);
    await createRole(client, loginRole);
    const report = await applyPending(client, migrations);
    await client.query('commit');
    if (!(await migrateJobs(client))) throw newerJobs();
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]);
    return report;
  } catch (error) {
    // The session of the embedded engine outlives this client.
    await client.query('rollback').catch(() => undefined);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => undefined);
    throw explain(error);
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
export async function readSchemaVersion(service: pg.ClientConfig): Promise<number | null> {
  const migrations = await readMigrations();
  const client = await connectNamed(service, 'DATABASE_URL');
  try {
    await client.query('set role ledger_app');
    const { rows } = await client.query<AppliedMigration>(APPLIED);
    for (const row of rows) refuseForeign(row, migrations);
    if (rows.length < migrations.length) return null;
    const jobs = await client.query<{ version: number }>(SELECT_JOBS_VERSION);
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

function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return error;
  return new MigrationError(
    `the schema must be migrated, and this login lacks the rights: ${error.message}. ` +
      'Set LEDGER_DATABASE_OWNER_URL to a login that owns the schema and may create roles',
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

/** Roles are shared by all databases of a server, so another process may create this one concurrently. */
async function createRole(client: pg.Client, loginRole: string | undefined): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = 'ledger_app') then
      create role ledger_app nologin;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`);
  const member = await client.query<{ member: boolean; owner: string }>(
    // From PostgreSQL 16, membership does not imply the right to SET ROLE.
    `select pg_has_role($1, 'ledger_app', case
        when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
      as member, current_user as owner`,
    [loginRole ?? (await currentUser(client))],
  );
  if (member.rows[0]?.member !== true) {
    const role = loginRole ?? member.rows[0]?.owner ?? '';
    await client.query(`grant ledger_app to ${client.escapeIdentifier(role)}`);
  }
  await client.query('grant usage on schema public to ledger_app');
}

async function currentUser(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_user as name');
  return rows[0]?.name ?? '';
}

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<MigrationReport> {
  await client.query(`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz(3) not null default now())`);
  const { rows } = await client.query<AppliedMigration>(APPLIED);
  for (const row of rows) refuseForeign(row, migrations);
  const pending = migrations.slice(rows.length);
  for (const migration of pending) {
    await client.query(migration.sql);
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
