import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, type StorageCounters } from './durable-fs.js';
import { ReplyScanner } from './reply-scanner.js';
import { query } from './wire-messages.js';

/** What PostgreSQL answered to one group of messages. */
export interface Reply {
  readonly chunks: readonly Buffer[];
  readonly scan: ReplyScanner;
}

/** Ends the engine; it must not return. */
export type Fatal = (error: unknown) => never;

/** The role of a session that has not changed it. */
export const NO_ROLE = 'none';

/** By which PGlite's main loop says that a statement failed, and nothing worse. */
const STATEMENT_FAILED = 100;
const LOG_LINES = 20;

/*
 * Durable as a server is: every commit waits for one fsync (wal_sync_method is fsync because the
 * build's fdatasync does nothing). Statements stay out of the log, since they hold users' data.
 * Checkpoints and autovacuum have no process of their own here: see maintenance.ts.
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...setting('fsync', 'on'),
  ...setting('wal_sync_method', 'fsync'),
  ...setting('full_page_writes', 'on'),
  ...setting('synchronous_commit', 'on'),
  ...setting('autovacuum', 'off'),
  ...setting('max_wal_size', '256MB'),
  ...setting('log_min_messages', 'fatal'),
  ...setting('log_min_error_statement', 'panic'),
];

function setting(name: string, value: string): readonly string[] {
  return ['-c', `${name}=${value}`];
}

/** The one session of the one PostgreSQL backend, reached by messages of the protocol. */
export class Session {
  /** The role that the session has outside transactions. */
  role = NO_ROLE;

  private constructor(
    private readonly pglite: PGlite,
    private readonly fatal: Fatal,
    readonly counters: Readonly<StorageCounters>,
    /** What PostgreSQL tells of itself to a client that connects. */
    readonly parameters: ReadonlyMap<string, string>,
  ) {}

  /** Opens the database in the folder, creating it where the folder is empty. */
  static async open(folder: string, onFatal: Fatal): Promise<Session> {
    const log: string[] = [];
    const fatal: Fatal = (error) => onFatal(describe(error, log));
    const fs = new DurableNodeFs(folder, fatal);
    const pglite = await create(fs, log);
    guardMainLoop(pglite, fatal);
    const parameters = new Map<string, string>();
    const session = new Session(pglite, fatal, fs.counters, parameters);
    // From the startup message on, PostgreSQL reports changed settings, the role's rights included.
    const { scan } = await session.run(startupMessage());
    for (const [name, value] of scan.parameters) parameters.set(name, value);
    return session;
  }

  /** Hands over whole messages; they are done when the promise resolves. */
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
   * Runs SQL of the engine's own, as the owner: the first column of the last row, or null. A
   * statement that fails is no reason to end the engine: null as well.
   */
  async runOwn(sql: string): Promise<string | null> {
    await this.assume(NO_ROLE);
    return this.#valueOf(sql);
  }

  /** Switches the role where needed; the reply of a refused switch, or null. */
  async assume(role: string): Promise<Reply | null> {
    if (role === this.role) return null;
    const sql = role === NO_ROLE ? 'RESET ROLE' : `SET ROLE "${role.replaceAll('"', '""')}"`;
    const reply = await this.run(query(sql));
    if (reply.scan.failed) return reply;
    this.role = role;
    return null;
  }

  /** Asks which role the session has, after a client may have changed it. */
  async readRole(): Promise<string> {
    this.role = (await this.#valueOf('SHOW role')) ?? NO_ROLE;
    return this.role;
  }

  /** Writes everything to the database files and ends PostgreSQL. */
  async close(): Promise<void> {
    await this.runOwn('CHECKPOINT');
    await this.pglite.close();
  }

  async #valueOf(sql: string): Promise<string | null> {
    const { scan } = await this.run(query(sql));
    return scan.failed ? null : scan.value;
  }
}

/** PGlite spoken to by the protocol alone. */
class WirePGlite extends PGlite {
  /** Asks for all array types at the start, for queries of a kind that is not made here. */
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
 * PGlite takes every exception of its main loop for a failed statement and goes on, for ever, with
 * a PostgreSQL that has ended. So all but failed statements end the engine here.
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

/** PostgreSQL's own words say more than the exception that ended it. */
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
