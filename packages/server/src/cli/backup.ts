import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { findRunningEngine, startEngine } from '@decision-ledger/embedded/engine';
import pg from 'pg';
import { BackupError } from '../backup/backup-error.js';
import { copyDatabase, type OnCopied } from '../backup/copy-database.js';
import { findFiles, openFound, readUntil } from '../backup/database-files.js';
import { FORMAT, isNameOfFile, type Manifest } from '../backup/manifest.js';
import { ArchiveWriter } from '../backup/write-archive.js';
import { type Config, readConfig } from '../config.js';
import { systemClock } from '../platform/clock.js';
import { VERSION } from '../version.js';
import { PATIENCE } from './open.js';
import { CommandError, openOutput, print, printError, printJson, progressBar } from './output.js';

export interface BackupOptions {
  /** Commander's `--no-master-key`. */
  readonly masterKey: boolean;
  readonly json?: boolean;
}

/** Copies the ledger of the embedded engine into one file, whether or not the service runs. */
export async function backup(file: string, options: BackupOptions): Promise<void> {
  const config = readConfig(process.env);
  const dataDir = folderOf(config);
  const output = await openOutput(file);
  const bar = progressBar('backup');
  try {
    const archive = new ArchiveWriter(new Date(systemClock.now()));
    const onCopied: OnCopied = (bytes, of) => bar.update(mebibytes(bytes), mebibytes(of));
    const [sha256, manifest] = await Promise.all([
      output.write(archive.stream),
      withDatabase(dataDir, (client) =>
        fill(archive, client, { config, dataDir, options, onCopied }),
      ),
    ]);
    await output.keep();
    bar.stop();
    report(file, sha256, manifest, options);
  } finally {
    bar.stop();
    await output.discard();
  }
}

function folderOf({ storage }: Config): string {
  if (storage.kind === 'postgres') {
    throw new CommandError(
      'DATABASE_URL names a PostgreSQL server: back it up with its own tools, such as pg_dump, as docs/operations.md shows',
    );
  }
  if (existsSync(join(storage.dataDir, 'pg'))) return resolve(storage.dataDir);
  throw noLedger(storage.dataDir);
}

function noLedger(dataDir: string): CommandError {
  return new CommandError(
    `there is no ledger in ${dataDir}: set LEDGER_DATA_DIR to the folder of the service`,
  );
}

/** Uses the engine of a running service, and starts one on the folder otherwise. The schema is not migrated. */
async function withDatabase<Result>(
  dataDir: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const running = await findRunningEngine(dataDir, {
    waitMs: PATIENCE.connectMs,
    onWait: PATIENCE.onWait,
  });
  const beforeCreate = () => Promise.reject(noLedger(dataDir));
  const engine =
    running === null ? await startEngine({ dataDir, beforeCreate, onFailure: printError }) : null;
  const socketPath = running?.socketPath ?? engine?.socketPath ?? '';
  const client = new pg.Client(engineClientConfig(socketPath, 'backup'));
  let isBroken = false;
  client.on('error', () => {
    isBroken = true;
  });
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (!isBroken && !isStopping(error)) throw error;
    throw new BackupError('the service stopped during the backup: run the backup again', {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
    await engine?.stop();
  }
}

/** The server ends each connection before it stops. */
const STOPPING = '57P01';

function isStopping(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === STOPPING;
}

interface Source {
  readonly config: Config;
  readonly dataDir: string;
  readonly options: BackupOptions;
  readonly onCopied: OnCopied;
}

async function fill(
  archive: ArchiveWriter,
  client: pg.Client,
  { config, dataDir, options, onCopied }: Source,
): Promise<Manifest> {
  const madeAt = new Date(systemClock.now()).toISOString();
  const { folders, ...state } = await copyDatabase(
    client,
    databaseFolder(dataDir),
    archive,
    onCopied,
  );
  await addExports(archive, config, dataDir);
  if (options.masterKey) {
    for (const name of ['master.key', 'master.key.next']) await addFile(archive, dataDir, name);
  }
  const manifest: Manifest = {
    format: FORMAT,
    product_version: VERSION,
    migration: state.migration,
    made_at: madeAt,
    has_master_key: archive.files.some(({ name }) => name === 'master.key'),
    ledgers: [...state.ledgers],
    folders: [...folders],
    files: [...archive.files],
  };
  archive.finish(manifest);
  return manifest;
}

/** Finished exports, if they are kept in the data folder. */
async function addExports(
  archive: ArchiveWriter,
  { files }: Config,
  dataDir: string,
): Promise<void> {
  if (files.kind !== 'folder' || relative(dataDir, files.path) !== 'files') return;
  for (const { path } of (await findFiles(files.path)).files) {
    if (isNameOfFile(`files/${path}`)) await addFile(archive, dataDir, `files/${path}`);
  }
}

async function addFile(archive: ArchiveWriter, folder: string, name: string): Promise<void> {
  const file = await openFound(join(folder, name));
  if (file === null) return;
  const { size } = await file.stat();
  await archive.add(
    name,
    readUntil(file, size, () => undefined),
  );
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1 << 20));
}

function report(
  file: string,
  sha256: string,
  { files, folders: _, ...manifest }: Manifest,
  { json }: BackupOptions,
): void {
  if (json === true) {
    printJson({ file, sha256, files: files.length, ...manifest });
    return;
  }
  print(`The backup is complete: ${file}, SHA-256 ${sha256}.`);
  for (const { organisation, mode, decisions, activity } of manifest.ledgers) {
    print(
      `${organisation} ${mode}: decisions until seq ${decisions.seq} hash ${decisions.hash}, ` +
        `activity until seq ${activity.seq} hash ${activity.hash}`,
    );
  }
  print(
    manifest.has_master_key
      ? 'It holds the master key: keep it secret.'
      : 'It does not hold the master key, which a restore needs: keep that key separately.',
  );
}
