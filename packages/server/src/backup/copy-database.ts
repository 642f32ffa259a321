import { join } from 'node:path';
import { MODES } from '@decision-ledger/contract/permissions';
import type pg from 'pg';
import { uuidToId } from '../platform/ids.js';
import { BackupError } from './backup-error.js';
import {
  findFiles,
  isPartOfDatabase,
  openFound,
  readThenZeros,
  readUntil,
} from './database-files.js';
import type { BackedUpLedger } from './manifest.js';
import type { ArchiveWriter } from './write-archive.js';

/** The state that a copy restores to. */
export interface CopiedState {
  readonly migration: number;
  readonly ledgers: readonly BackedUpLedger[];
}

/** What is copied, and how much of it is. */
export type OnCopied = (bytes: number, of: number) => void;

/** The name of a file of the log: timeline and number, hexadecimal. */
const LOG_FILE = /^pg_wal\/[0-9A-F]{24}$/;

/**
 * Copies the database of an embedded engine while statements run. The files are copied after a checkpoint, each as it
 * is when its turn comes, then the log from that checkpoint on. PostgreSQL makes one state of them as after a crash: the
 * log holds every page that was changed since the checkpoint. The log is cut where the heads of the chains were read, so
 * the copy has exactly these.
 *
 * @param client connected as `backup`, so the engine makes no checkpoint that would remove files of the log
 * @param folder of the database
 */
export async function copyDatabase(
  client: pg.Client,
  folder: string,
  archive: ArchiveWriter,
  onCopied: OnCopied,
): Promise<CopiedState & { readonly folders: readonly string[] }> {
  await client.query('checkpoint');
  const start = await readCheckpoint(client);
  const { folders, files } = await findFiles(folder);
  const parts = files.filter(({ path }) => isPartOfDatabase(path));
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  let copied = 0;
  const onRead = (bytes: number) => {
    copied += bytes;
    onCopied(copied, Math.max(copied, total));
  };
  for (const { path, bytes } of parts) {
    const file = await openFound(join(folder, path));
    // What was removed by now is removed again when the log is replayed.
    if (file !== null) await archive.add(`pg/${path}`, readUntil(file, bytes, onRead));
  }
  const { end, ...state } = await readState(client);
  await copyLog(folder, archive, start, end, onRead);
  if ((await readCheckpoint(client)).redo !== start.redo) {
    throw new BackupError(
      'the database wrote a checkpoint during the copy, as `decision-ledger purge` does: run the backup again',
    );
  }
  return { ...state, folders: ['pg', ...folders.map((path) => `pg/${path}`)] };
}

interface LogStart {
  readonly redo: string;
  /** Name of the first file of the log that is needed. */
  readonly file: string;
}

async function readCheckpoint(client: pg.Client): Promise<LogStart> {
  const { rows } = await client.query<LogStart>(
    'select redo_lsn::text as redo, redo_wal_file as file from pg_control_checkpoint()',
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no checkpoint');
  return row;
}

interface LogEnd {
  /** Name of the last file of the log that is needed. */
  readonly file: string;
  /** Bytes of that file that are needed. */
  readonly bytes: number;
}

interface HeadRow {
  readonly ledger_id: string;
  readonly organisation: string;
  readonly mode: string;
  readonly decisions_seq: string;
  readonly decisions_hash: string;
  readonly activity_seq: string;
  readonly activity_hash: string;
}

/*
 * Nothing else runs within the transaction, because the engine has one session. Every commit before it is on disk, so
 * the log that was written until now ends at this state or after it by nothing that was committed.
 */
async function readState(client: pg.Client): Promise<CopiedState & { readonly end: LogEnd }> {
  await client.query('begin read only');
  try {
    const migration = await client.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from schema_migrations',
    );
    const heads = await client.query<HeadRow>(`
      select l.ledger_id, o.name as organisation, l.mode,
        d.seq::text as decisions_seq, encode(d.hash, 'hex') as decisions_hash,
        a.seq::text as activity_seq, encode(a.hash, 'hex') as activity_hash
      from ledgers l join organisations o on o.org_id = l.org_id
      join chain_heads d on d.ledger_id = l.ledger_id and d.chain = 'decisions'
      join chain_heads a on a.ledger_id = l.ledger_id and a.chain = 'activity'
      order by o.created_at, o.org_id, l.mode`);
    const end = await client.query<{ file: string; bytes: number }>(`
      select pg_walfile_name(lsn) as file, (1 + (lsn - '0/1'::pg_lsn)
          % pg_size_bytes(current_setting('wal_segment_size')))::integer as bytes
      from pg_current_wal_flush_lsn() as lsn`);
    const [last] = end.rows;
    if (last === undefined) throw new Error('the database has no log');
    const version = migration.rows[0]?.version ?? 0;
    return { migration: version, ledgers: heads.rows.map(toLedger), end: last };
  } finally {
    await client.query('rollback');
  }
}

function toLedger(row: HeadRow): BackedUpLedger {
  const mode = MODES.find((known) => known === row.mode);
  if (mode === undefined) throw new Error(`the ledger ${row.ledger_id} has an unknown mode`);
  return {
    ledger: uuidToId('led', row.ledger_id),
    organisation: row.organisation,
    mode,
    decisions: { seq: Number(row.decisions_seq), hash: row.decisions_hash },
    activity: { seq: Number(row.activity_seq), hash: row.activity_hash },
  };
}

async function copyLog(
  folder: string,
  archive: ArchiveWriter,
  start: LogStart,
  end: LogEnd,
  onRead: (bytes: number) => void,
): Promise<void> {
  const [first, last] = [`pg_wal/${start.file}`, `pg_wal/${end.file}`];
  const { files } = await findFiles(folder);
  const log = files.filter(({ path }) => LOG_FILE.test(path) && path >= first && path <= last);
  if (log.at(0)?.path !== first || log.at(-1)?.path !== last) {
    throw new BackupError('a file of the write-ahead log is missing: run the backup again');
  }
  for (const { path, bytes } of log) {
    const file = await openFound(join(folder, path));
    if (file === null) throw new BackupError(`${path} was removed: run the backup again`);
    const needed = path === last ? end.bytes : bytes;
    await archive.add(`pg/${path}`, readThenZeros(file, needed, bytes, onRead));
  }
}
