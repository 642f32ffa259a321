import pg from 'pg';
import sql from 'sql-template-tag';
import { type DatabaseAddress, namesOf, replicaLogin } from '../platform/connection.js';
import { openDatabase } from '../platform/database.js';
import { reasonOf } from '../platform/failures.js';
import { type Finding, failed, ok, skipped, warning } from './finding.js';
import type { DoctorSubject } from './subject.js';

const CLOSED = 'the database could not be opened';

export async function checkServer({ database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const [server] = await database.db.query<{
    version: string;
    number: number;
    standby: boolean;
  }>(sql`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number, pg_is_in_recovery() as standby`);
  const found = `PostgreSQL ${server?.version}`;
  if (server?.standby === true) {
    return failed(
      `${found} is a standby, which takes no writes`,
      'Name the primary in DATABASE_URL',
    );
  }
  if ((server?.number ?? 0) >= 150_000) return ok(found);
  return failed(`${found} is too old`, 'Upgrade it to PostgreSQL 15 or newer');
}

/** Records that the role of the service may add to, and never change or remove. */
const APPEND_ONLY = ['decisions', 'activity'];

export async function checkPrivileges({ database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const { role, schema } = namesOf(database.address);
  const [login] = await database.db.query<{ superuser: boolean; name: string; makes: boolean }>(sql`
    select rolsuper as superuser, rolname as name, has_schema_privilege(current_user, ${schema}, 'create') as makes
    from pg_roles where rolname = session_user`);
  const tables = await database.db.query<{ name: string; appends: boolean; changes: boolean }>(sql`
    select name, has_table_privilege(name, 'insert, select') as appends,
      has_table_privilege(name, 'update')
        or has_table_privilege(name, 'delete') as changes
    from unnest(${APPEND_ONLY}::text[]) as name where to_regclass(name) is not null`);
  const lacking = tables.filter(({ appends }) => !appends).map(({ name }) => name);
  if (lacking.length > 0) {
    return failed(`the role ${role} cannot write ${lacking.join(', ')}`, 'decision-ledger migrate');
  }
  const changing = tables.filter(({ changes }) => changes).map(({ name }) => name);
  if (changing.length > 0) {
    return failed(
      `the role ${role} can change records in ${changing.join(', ')}`,
      `revoke update, delete on ${changing.join(', ')} from ${pg.escapeIdentifier(role)}`,
    );
  }
  if (login?.makes === true) {
    return failed(
      `the role ${role} can make objects in the schema ${schema}, and so change what its functions do`,
      `revoke create on schema ${schema} from public, ${pg.escapeIdentifier(role)}`,
    );
  }
  if (login?.superuser === true) {
    return warning(
      `the login ${login.name} is a superuser`,
      'Give the service a login of its own (docs/operations.md, "PostgreSQL")',
    );
  }
  return ok(
    `the login ${login?.name} acts as ${role}, which can only add records, in the schema ${schema}`,
  );
}

/** Connections of a process beside its pool: verification, notifications, the start. */
const BESIDE_POOL = 5;

interface Limits {
  readonly free: number;
  readonly role: number;
  readonly database: number;
}

export async function checkConnections({ config, database }: DoctorSubject): Promise<Finding> {
  if (database === null || config.storage.kind === 'embedded') return skipped(CLOSED);
  const [limits] = await database.db.query<Limits>(sql`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as free,
      (select rolconnlimit from pg_roles where rolname = session_user) as role,
      (select datconnlimit from pg_database where datname = current_database()) as database`);
  const needed = config.storage.maxConnections + BESIDE_POOL;
  const { free, role, database: ofDatabase } = limits ?? { free: 0, role: -1, database: -1 };
  const low = Object.entries({
    'CONNECTION LIMIT of the login': role,
    'CONNECTION LIMIT of the database': ofDatabase,
  })
    .filter(([, limit]) => limit >= 0 && limit < needed)
    .map(([name, limit]) => `${name} is ${limit}`);
  const remedy = `Allow ${needed} for each process, or lower LEDGER_DATABASE_CONNECTIONS`;
  if (low.length > 0) return failed(`the ${low.join(', the ')}`, remedy);
  const found = `${free} connections are free, and a process opens up to ${needed}`;
  return free < needed ? warning(found, remedy) : ok(found);
}

export function checkPooler({ database }: DoctorSubject): Promise<Finding> {
  return Promise.resolve(poolerOf(database?.address));
}

function poolerOf(address: DatabaseAddress | undefined): Finding {
  if (address?.kind !== 'postgres') return skipped(CLOSED);
  if (!address.isPooled) return ok('each connection keeps its session');
  if (address.directUrl !== null) {
    return ok(
      'a pooler gives each transaction a connection, and DATABASE_DIRECT_URL leads past it',
    );
  }
  return warning(
    'a pooler gives each transaction a connection: new records reach other processes after up to a second, and ' +
      'migrate, rebuild, purge and master-key rotate are refused',
    'Set DATABASE_DIRECT_URL to an address of the server itself',
  );
}

interface ReplicaState {
  readonly isStandby: boolean;
  /** Seconds; null if it replayed nothing yet. */
  readonly lag: number | null;
  readonly installation: string | null;
}

/** An installation has an id from its first organisation on. */
const INSTALLATION = sql`(select installation_id::text from installation) as installation`;

export async function checkReplica({ database }: DoctorSubject): Promise<Finding> {
  const login = database === null ? null : replicaLogin(database.address);
  if (database === null || login === null) return skipped('DATABASE_READ_URL is not set');
  const replica = openDatabase({ ...login, maxConnections: 1 });
  try {
    const [state] = await replica.query<ReplicaState>(sql`
      select pg_is_in_recovery() as "isStandby", ${INSTALLATION},
        extract(epoch from now() - pg_last_xact_replay_timestamp())::int as lag`);
    const [own] = await database.db.query<Pick<ReplicaState, 'installation'>>(
      sql`select ${INSTALLATION}`,
    );
    return replicaFinding(state, own?.installation ?? null);
  } catch (error) {
    return warning(
      `the server of DATABASE_READ_URL cannot be read (${reasonOf(error)}), so the primary is read instead`,
      'Start it, or correct the address',
    );
  } finally {
    await replica.close();
  }
}

function replicaFinding(state: ReplicaState | undefined, installation: string | null): Finding {
  if (state?.installation !== installation) {
    return failed(
      'the server of DATABASE_READ_URL has another installation, and is never read',
      'Name a standby of the server of DATABASE_URL',
    );
  }
  if (!state.isStandby) {
    return warning('the server of DATABASE_READ_URL is no standby', 'Name a standby, or unset it');
  }
  return ok(`a standby answers; its last transaction was committed ${state.lag ?? 0} s ago`);
}

/** Settings that decide whether an acknowledged record survives a crash, and whether damage is noticed. */
const WANTED: Readonly<Record<string, { readonly value: string; readonly isNeeded: boolean }>> = {
  fsync: { value: 'on', isNeeded: true },
  full_page_writes: { value: 'on', isNeeded: true },
  ignore_checksum_failure: { value: 'off', isNeeded: true },
  zero_damaged_pages: { value: 'off', isNeeded: true },
  data_checksums: { value: 'on', isNeeded: false },
};

export async function checkPostgresSettings({ database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const rows = await database.db.query<{ name: string; setting: string }>(sql`
    select name, current_setting(name, true) as setting from unnest(${Object.keys(WANTED)}::text[]) as name`);
  const wrong = rows.filter(
    ({ name, setting }) => setting !== null && setting !== WANTED[name]?.value,
  );
  const found = wrong.map(({ name, setting }) => `${name} = ${setting}`).join(', ');
  if (wrong.length === 0) return ok(`${Object.keys(WANTED).join(', ')} are as they should be`);
  const wanted = wrong.map(({ name }) => `${name} = ${WANTED[name]?.value}`).join(', ');
  if (wrong.some(({ name }) => WANTED[name]?.isNeeded)) return failed(found, `Set ${wanted}`);
  return warning(
    `${found}: damaged pages can go unnoticed`,
    'pg_checksums --enable, while the server is stopped',
  );
}

/** What the server itself noticed; to check every page, it has pg_checksums and pg_amcheck. */
export async function checkServerPages({ database }: DoctorSubject): Promise<Finding> {
  if (database === null) return skipped(CLOSED);
  const [seen] = await database.db.query<{ failures: number | null }>(sql`
    select checksum_failures as failures from pg_stat_database where datname = current_database()`);
  const failures = seen?.failures ?? null;
  if (failures === null)
    return warning('the server keeps no checksums of pages', 'pg_checksums --enable');
  if (failures === 0) return ok('the server has met no page with a wrong checksum');
  return failed(
    `the server met ${failures} pages with a wrong checksum`,
    'Read its log, check the files with pg_amcheck, and restore a backup',
  );
}
