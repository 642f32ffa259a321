import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectNamed } from './connection-error.js';

/** What may hold payloads of decisions, and what is made from them. */
const TABLES = [
  ...['public.decisions', 'public.decision_features', 'public.token_frequencies'],
  ...['public.liability_estimates', 'public.liability_history', 'public.exposure_cells'],
  ...['public.announcements', 'public.idempotency_keys'],
  // The planner's samples of all of them: the last, since it is made anew with each of them.
  'pg_catalog.pg_statistic',
];

export interface Purge {
  /** Tables that were rewritten. */
  readonly tables: readonly string[];
  /** Files of the write-ahead log that were overwritten. */
  readonly logFiles: number;
  /** What could not be done, each with its remedy. */
  readonly left: readonly string[];
}

type OnStep = (done: number, of: number) => void;

/**
 * Removes what erasures leave in the files of the database: former versions of rows in the tables,
 * and the write-ahead log that they were written to.
 * @param owner connects as the owner of the schema
 * @returns null where nothing was ever erased
 */
export async function purge(owner: pg.ClientConfig, onStep: OnStep): Promise<Purge | null> {
  const client = await connectNamed(owner, 'LEDGER_DATABASE_OWNER_URL');
  try {
    if (!(await hasErasures(client))) return null;
    const left = await rewriteTables(client, onStep);
    const log = await overwriteLog(client);
    onStep(TABLES.length + 1, TABLES.length + 1);
    return { tables: TABLES, logFiles: log.files, left: [...left, ...log.left] };
  } finally {
    await client.end();
  }
}

async function hasErasures(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from activity where type = 'decision.field_erased' limit 1",
  );
  return rows.length > 0;
}

/** @returns what could not be rewritten */
async function rewriteTables(client: pg.Client, onStep: OnStep): Promise<string[]> {
  const left: string[] = [];
  const now = await awaitOlder(client);
  for (const [done, table] of TABLES.entries()) {
    onStep(done, TABLES.length + 1);
    const isCatalog = table.startsWith('pg_catalog');
    const warning = await warningOf(
      client,
      `vacuum (full${isCatalog ? '' : ', analyze'}) ${table}`,
    );
    if (warning !== null) left.push(`${table}: ${warning}: purge as the owner of the database`);
    else if (await keepsOld(client, table, now)) {
      left.push(
        `${table}: an older transaction still needs former rows: purge again when it ended`,
      );
    }
  }
  return left;
}

const PATIENCE = { tries: 50, pauseMs: 200 };

/**
 * Waits until every transaction from before has ended, as those of a service under load soon do.
 * What does not end by then is told when a table was rewritten.
 * @returns the transaction from which on all is new
 */
async function awaitOlder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>(
    'select pg_current_xact_id()::xid::text as now',
  );
  const now = rows[0]?.now ?? '';
  for (let tries = PATIENCE.tries; tries > 0; tries -= 1) {
    const older = await client.query(
      `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and greatest(age(backend_xmin), age(backend_xid)) > age($1::xid) limit 1`,
      [now],
    );
    if (older.rows.length === 0) break;
    await pause(PATIENCE.pauseMs);
  }
  return now;
}

interface Notice {
  readonly severity?: string | undefined;
  readonly message?: string | undefined;
}

/** Of a table that it may not touch VACUUM only warns. */
async function warningOf(client: pg.Client, statement: string): Promise<string | null> {
  let warning: string | null = null;
  const listen = ({ severity, message }: Notice) => {
    if (severity === 'WARNING') warning = message ?? 'it could not be rewritten';
  };
  client.on('notice', listen);
  try {
    await client.query(statement);
  } finally {
    client.off('notice', listen);
  }
  return warning;
}

/** A rewritten table holds no row that died before the oldest open transaction of its time. */
async function keepsOld(client: pg.Client, table: string, since: string): Promise<boolean> {
  const { rows } = await client.query<{ old: boolean }>(
    'select age(relfrozenxid) > age($2::xid) as old from pg_class where oid = $1::regclass',
    [table, since],
  );
  return rows[0]?.old !== false;
}

interface OverwrittenLog {
  readonly files: number;
  readonly left: readonly string[];
}

const MISSING_RIGHT = '42501';

async function overwriteLog(client: pg.Client): Promise<OverwrittenLog> {
  try {
    return await overwriteAll(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== MISSING_RIGHT) throw error;
    const remedy =
      'purge as a superuser, or grant the owner pg_checkpoint, pg_monitor and ' +
      'the right to execute pg_switch_wal()';
    return { files: 0, left: [`the write-ahead log: ${error.message}: ${remedy}`] };
  }
}

/**
 * A checkpoint makes the log before it superfluous, and keeps some of its files for later use, with
 * what is in them. Switching to the next file fills the rest of the current one with zeros, so all
 * that were kept are overwritten one after the other.
 */
async function overwriteAll(client: pg.Client): Promise<OverwrittenLog> {
  const first = await nextFile(client);
  await client.query('checkpoint');
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' order by name",
  );
  const names = rows.map(({ name }) => name);
  const kept = names.filter((name) => name < first);
  const last = names.at(-1) ?? first;
  let files = 0;
  for (let current = first; current <= last; current = await nextFile(client)) files += 1;
  await client.query('checkpoint');
  if (kept.length === 0) return { files, left: [] };
  const reason = 'a replication slot, an archive or wal_keep_size keeps files of before';
  return { files, left: [`the write-ahead log: ${reason}: purge again when it let go of them`] };
}

/** Ends the current file of the log. @returns the name of the one that is written to now */
async function nextFile(client: pg.Client): Promise<string> {
  const write = "select pg_logical_emit_message(false, 'decision-ledger', 'purge')";
  await client.query(write);
  await client.query('select pg_switch_wal()');
  await client.query(write);
  const { rows } = await client.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
  );
  return rows[0]?.name ?? '';
}
