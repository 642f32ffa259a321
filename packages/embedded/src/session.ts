import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, type StorageCounters } from './durable-fs.js';
import { openFilesLimit } from './open-files.js';
import { ReplyScanner } from './reply-scanner.js';
import { query } from './wire-messages.js';

/** PostgreSQL's reply to a group of messages. */
export interface Reply {
  readonly chunks: readonly Buffer[];
  readonly scan: ReplyScanner;
}

/** Ends the engine; must not return. */
export type Fatal = (error: unknown) => never;

export interface SessionOptions {
  /** Of the database. */
  readonly folder: string;
  readonly onFatal: Fatal;
  /** Called for each read and write of a file. */
  readonly onOperation: () => void;
}

/** The role of a session after RESET ROLE. */
export const NO_ROLE = 'none';

/** The exit status of PGlite's main loop for an ordinary failed statement. */
const STATEMENT_FAILED = 100;
const LOG_LINES = 20;

/*
 * As durable as a server: every commit waits for one fsync (wal_sync_method is fsync because fdatasync
 * does nothing in this build). Statements are not logged, because they contain users' data.
 * Checkpoints and autovacuum have no background processes here: see maintenance.ts.
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...setting('fsync', 'on'),
  ...setting('wal_sync_method', 'fsync'),
  ...setting('full_page_writes', 'on'),
  ...setting('synchronous_commit', 'on'),
  ...setting('autovacuum', 'off'),
  ...setting('max_wal_size', '256MB'),
  // PGlite clears all of it at the start: its 160 MB take 0.1 s. What does not fit is in the cache of the system.
  ...setting('shared_buffers', '64MB'),
  ...setting('max_files_per_process', String(filesOfEngine())),
  ...setting('log_min_messages', 'fatal'),
  ...setting('log_min_error_statement', 'panic'),
];

/**
 * The engine keeps files of tables open. Half of what this process may open is left to callers; 64 and 1000
 * are PostgreSQL's least and its default.
 */
function filesOfEngine(): number {
  return Math.max(64, Math.min(1000, Math.floor(openFilesLimit() / 2)));
}

function setting(name: string, value: string): readonly string[] {
  return ['-c', `${name}=${value}`];
}

/** The single session of the PostgreSQL backend, accessed through protocol messages. */
export class Session {
  /** The role of the session outside transactions. */
  role = NO_ROLE;

  private constructor(
    private readonly pglite: PGlite,
    private readonly fatal: Fatal,
    readonly counters: Readonly<StorageCounters>,
    /** The parameters that PostgreSQL reports to a new client. */
    readonly parameters: ReadonlyMap<string, string>,
  ) {}

  /** Opens the database in the folder; creates it if the folder is empty. */
  static async open({ folder, onFatal, onOperation }: SessionOptions): Promise<Session> {
    const log: string[] = [];
    const fatal: Fatal = (error) => onFatal(describe(error, log));
    const fs = new DurableNodeFs(folder, fatal, onOperation);
    const pglite = await create(fs, log);
    guardMainLoop(pglite, fatal);
    const parameters = new Map<string, string>();
    const session = new Session(pglite, fatal, fs.counters, parameters);
    // After the startup message PostgreSQL reports changed parameters, including the role's rights.
    const { scan } = await session.run(startupMessage());
    for (const [name, value] of scan.parameters) parameters.set(name, value);
    return session;
  }

  /** Executes complete messages; resolves when they are done. */
  async run(messages: Uint8Array): Promise<Reply> {
    const chunks: Buffer[] = [];
    const scan = new ReplyScanner();
    const onRawData = (data: Uint8Array) => {
      const chunk = Buffer.from(data);
      chunks.push(chunk);
      scan.push(chunk);
    };
    try {
      await this.pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    } catch (error) {
      this.fatal(error);
    }
    return { chunks, scan };
  }

  /**
   * Runs SQL of the engine itself, as the owner. Returns the first column of the last row, or null;
   * null also if the statement fails, which does not end the engine.
   */
  async runOwn(sql: string): Promise<string | null> {
    await this.assume(NO_ROLE);
    return this.#valueOf(sql);
  }

  /** Switches the role if needed. Returns the reply to a refused switch, else null. */
  async assume(role: string): Promise<Reply | null> {
    if (role === this.role) return null;
    const sql = role === NO_ROLE ? 'RESET ROLE' : `SET ROLE "${role.replaceAll('"', '""')}"`;
    const reply = await this.run(query(sql));
    if (reply.scan.failed) return reply;
    this.role = role;
    return null;
  }

  /** Reads the role of the session, which a client may have changed. */
  async readRole(): Promise<string> {
    this.role = (await this.#valueOf('SHOW role')) ?? NO_ROLE;
    return this.role;
  }

  /** Writes all data to the files and ends PostgreSQL. */
  async close(): Promise<void> {
    await this.runOwn('CHECKPOINT');
    await this.pglite.close();
  }

  async #valueOf(sql: string): Promise<string | null> {
    const { scan } = await this.run(query(sql));
    return scan.failed ? null : scan.value;
  }
}

/** PGlite used through the protocol only. */
class WirePGlite extends PGlite {
  /** Skips the query for array types, which only PGlite's query methods need. */
  override async _initArrayTypes(): Promise<void> {}
}

async function create(fs: DurableNodeFs, log: string[]): Promise<PGlite> {
  const onStderr = (line: string) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
    return false;
  };
  try {
    const pglite = new WirePGlite({ fs, startParams: START_PARAMETERS, onStderr });
    await pglite.waitReady;
    return pglite;
  } catch (error) {
    throw describe(error, log);
  }
}

/**
 * PGlite treats every exception of its main loop as a failed statement and continues forever with a
 * PostgreSQL that has ended. Here all other exceptions end the engine.
 */
function guardMainLoop(pglite: PGlite, fatal: Fatal): void {
  const module = pglite.Module;
  const runOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if (statusOf(error) === STATEMENT_FAILED) throw error;
      fatal(error);
    }
  };
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
}

/** Prefers PostgreSQL's own message, which is more informative than the exception. */
function describe(error: unknown, log: readonly string[]): Error {
  const line = log.findLast((text) => /(PANIC|FATAL):/.test(text));
  const said = line === undefined ? '' : line.slice(line.search(/PANIC|FATAL/));
  const reason = error instanceof Error ? error.message : `status ${String(statusOf(error))}`;
  return new Error(said === '' ? reason : `${said} (${reason})`, { cause: error });
}

function startupMessage(): Buffer {
  const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
