import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Node, nodesOf } from './cluster/nodes.js';
import { awaitOlderOn, rewrittenOn } from './cluster/purged-nodes.js';
import type { DatabaseAddress } from './connection.js';
import { reasonOf } from './failures.js';
import { ERASED_FROM } from './purged-tables.js';
import { connectOwner } from './sessions.js';

/** The planner's samples of all tables: last, because each rewrite renews them. */
const TABLES = [...ERASED_FROM, 'pg_catalog.pg_statistic'];

export interface Purge {
  /** Tables that were rewritten. */
  readonly tables: readonly string[];
  /** Files of the write-ahead log that were overwritten. */
  readonly logFiles: number;
  /** What could not be purged, each with its remedy. */
  readonly left: readonly string[];
}

type OnStep = (done: number, of: number) => void;

/**
 * Removes erased data from the database files: former row versions in the tables, and the write-ahead
 * log that contains them.
 * @returns null if nothing was ever erased
 */
export async function purge(address: DatabaseAddress, onStep: OnStep): Promise<Purge | null> {
  const client = await connectOwner(address);
  try {
    if (!(await hasErasures(client))) return null;
    const [own, ...others] = await nodesOf(client);
    if (own === undefined) return null;
    const before = await Promise.all(others.map(awaitOlderOn));
    const left = await rewriteTables(client, onStep);
    for (const [place, node] of others.entries()) {
      left.push(...(await rewrittenOn(node, before[place] ?? null)));
    }
    let logFiles = 0;
    for (const node of [own, ...others]) {
      const log = await overwriteLog(node);
      logFiles += log.files;
      left.push(...log.left);
    }
    onStep(TABLES.length + 1, TABLES.length + 1);
    return { tables: TABLES, logFiles, left };
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

/** @returns the tables that could not be rewritten */
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
        `${table}: an older transaction still needs the old rows: purge again after it has ended`,
      );
    }
  }
  return left;
}

const WAIT = { tries: 50, pauseMs: 200 };

/**
 * Waits until all earlier transactions have ended. Those that do not end in time are reported after the
 * rewrite of each table.
 * @returns the first transaction id that is later than all of them
 */
async function awaitOlder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>(
    'select pg_current_xact_id()::xid::text as now',
  );
  const now = rows[0]?.now ?? '';
  for (let tries = WAIT.tries; tries > 0; tries -= 1) {
    const older = await client.query(
      `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and greatest(age(backend_xmin), age(backend_xid)) > age($1::xid) limit 1`,
      [now],
    );
    if (older.rows.length === 0) break;
    await pause(WAIT.pauseMs);
  }
  return now;
}

interface Notice {
  readonly severity?: string | undefined;
  readonly message?: string | undefined;
}

/** VACUUM only warns about a table that the role may not process. */
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

/** Whether a rewritten table may still hold rows that an older open transaction needs. */
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

async function overwriteLog(node: Node): Promise<OverwrittenLog> {
  const log = node.name === null ? 'the write-ahead log' : `the write-ahead log of ${node.name}`;
  try {
    const { files, keepsOlder } = await overwriteAll(node);
    if (!keepsOlder) return { files, left: [] };
    const reason = 'a replication slot, an archive or wal_keep_size keeps older files';
    return { files, left: [`${log}: ${reason}: purge again after it has released them`] };
  } catch (error) {
    const isRight = error instanceof pg.DatabaseError && error.code === MISSING_RIGHT;
    if (node.name === null && !isRight) throw error;
    const remedy =
      'run purge as a superuser, or grant the owner pg_checkpoint, pg_monitor and ' +
      'the right to execute pg_switch_wal()';
    return { files: 0, left: [`${log}: ${reasonOf(error)}: ${remedy}`] };
  }
}

/**
 * A checkpoint makes the earlier log obsolete, but some of its files are recycled with their content.
 * Switching to the next file fills the rest of the current one with zeros, so repeated switches
 * overwrite all recycled files.
 */
async function overwriteAll(node: Node): Promise<{ files: number; keepsOlder: boolean }> {
  const first = await nextFile(node);
  await node.ask('checkpoint');
  const found = await node.ask(
    "select string_agg(name, ' ' order by name) from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'",
  );
  const names = found.split(' ');
  const last = names.at(-1) ?? first;
  let files = 0;
  for (let current = first; current <= last; current = await nextFile(node)) files += 1;
  await node.ask('checkpoint');
  return { files, keepsOlder: names.some((name) => name < first) };
}

/** Switches to the next log file. @returns its name */
async function nextFile(node: Node): Promise<string> {
  const write = "select pg_logical_emit_message(false, 'decision-ledger', 'purge')";
  await node.ask(write);
  await node.ask('select pg_switch_wal()');
  await node.ask(write);
  return node.ask('select pg_walfile_name(pg_current_wal_insert_lsn())');
}
