import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';

/** A statement; with a name the server parses it once per connection. */
export type Statement = Pick<Sql, 'text' | 'values'> & {
  readonly name?: string;
  /** The ledger (UUID) in which there is something new to read once this is committed. */
  readonly notifies?: string;
};

export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

/** One open transaction. `commit` may be sent behind statements that are still under way. */
export interface Transaction extends Queryable {
  commit(): Promise<void>;
}

/** The connection broke while COMMIT was under way: whether it took effect must be looked up. */
export class CommitUnknownError extends LedgerError {
  constructor(cause: unknown) {
    super('unavailable', 'the database connection was lost: the change may have taken place', {
      headers: { 'retry-after': '1' },
      cause,
    });
  }
}

/** How many connections a process has, and who waits for one. */
export interface PoolState {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs a text of several statements that may hold its own BEGIN and COMMIT; gives all rows. */
  script<Row extends object>(text: string): Promise<Row[]>;
  /** The connections as they are used now. */
  pool(): PoolState;
  /** Rejects while the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly client: pg.ClientConfig;
  readonly maxConnections: number;
  /** Every connection acts as this role; null leaves the role of the login. */
  readonly role: 'ledger_app' | null;
  readonly onError?: (error: Error) => void;
  /**
   * Told of each ledger with something new to read when the transaction has ended. It is told of some that were rolled
   * back as well, and of those whose end is unknown: who listens looks for itself.
   */
  readonly onNotification?: (ledgerId: string) => void;
}

/** Sent on every new connection; durability is never left to the server's defaults. */
const SESSION =
  'set timezone = utc; set synchronous_commit = on; set lock_timeout = 10000; ' +
  'set statement_timeout = 60000; set idle_in_transaction_session_timeout = 15000';

const types: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    if (id === pg.types.builtins.INT8 && format !== 'binary') return readInteger;
    return format === 'binary'
      ? pg.types.getTypeParser(id, 'binary')
      : pg.types.getTypeParser(id, 'text');
  },
};

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer column is out of range');
  return value;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.client,
    types,
    max: options.maxConnections,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    allowExitOnIdle: false,
    onConnect: async (client) => {
      await client.query(options.role === null ? SESSION : `${SESSION}; set role ${options.role}`);
    },
  });
  pool.on('error', (error) => options.onError?.(error));
  const query = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    const client = await acquire(pool);
    return release(client, () => run<Row>(client, statement));
  };
  return {
    query,
    transaction: async (work) => {
      const client = await acquire(pool);
      const notified = new Set<string>();
      try {
        return await release(client, () => runTransaction(client, work, notified));
      } finally {
        for (const ledgerId of notified) options.onNotification?.(ledgerId);
      }
    },
    script: async <Row extends object>(text: string) => {
      const client = await acquire(pool);
      return release(client, () => runScript<Row>(client, text));
    },
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      ...{ idle: pool.idleCount, waiting: pool.waitingCount, max: options.maxConnections },
    }),
    ping: async () => {
      await query({ text: 'select 1', values: [] });
    },
    close: () => pool.end(),
  };
}

async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw unavailable('the database cannot be reached', 1, error);
  }
}

async function release<Result>(
  client: pg.PoolClient,
  work: () => Promise<Result>,
): Promise<Result> {
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    return await work();
  } catch (error) {
    broken ||= isConnectionLoss(error);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function run<Row extends object>(client: pg.ClientBase, statement: Statement) {
  try {
    const { name, text, values } = statement;
    const config = name === undefined ? { text, values } : { name, text, values };
    // A text of several statements is answered with a list.
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(config);
    return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
  } catch (error) {
    throw translate(error);
  }
}

/** A script that fails behind its BEGIN would leave the connection inside the transaction. */
async function runScript<Row extends object>(client: pg.ClientBase, text: string): Promise<Row[]> {
  try {
    return await run<Row>(client, { text, values: [] });
  } catch (error) {
    if (!isConnectionLoss(error)) await client.query('rollback');
    throw error;
  }
}

async function runTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  notified: Set<string>,
): Promise<Result> {
  const query = <Row extends object>(statement: Statement) => {
    if (statement.notifies !== undefined) notified.add(statement.notifies);
    return run<Row>(client, statement);
  };
  let committing: Promise<void> | undefined;
  const commit = () => {
    committing = commitTransaction(client);
    return committing;
  };
  const begun = client.query('begin');
  try {
    const result = work({ query, commit });
    const [, value] = await Promise.all([begun, result]);
    if (committing === undefined) await commit();
    return value;
  } catch (error) {
    // Once COMMIT is sent the server ends the transaction, whatever came before it.
    if (committing !== undefined) await requireKnown(committing);
    else if (!isConnectionLoss(error)) await client.query('rollback').catch(() => undefined);
    throw translate(error);
  }
}

/** A connection that broke took the answers to earlier statements with it: only COMMIT's counts. */
async function requireKnown(committing: Promise<void>): Promise<void> {
  try {
    await committing;
  } catch (error) {
    if (error instanceof CommitUnknownError) throw error;
  }
}

async function commitTransaction(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back by an error in it');
  } catch (error) {
    if (isConnectionLoss(error)) throw new CommitUnknownError(error);
    throw error;
  }
}

/** The server's five-character error code, where the error is one of the server's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

const CONNECTION_LOSS = /^(08|57P0)/;

/** Of the network alone: an error of the file system inside a transaction says nothing of its connection. */
const NETWORK_LOSS = /^E(CONN[A-Z]+|PIPE|TIMEDOUT|HOST[A-Z]+|NET[A-Z]+|NOTCONN|SHUTDOWN)$/;

function isConnectionLoss(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return CONNECTION_LOSS.test(state);
  if (!(error instanceof Error)) return false;
  if (error.cause instanceof Error && isConnectionLoss(error.cause)) return true;
  return (
    ('code' in error && typeof error.code === 'string' && NETWORK_LOSS.test(error.code)) ||
    /connection (terminated|ended)|not queryable|client was closed/i.test(error.message)
  );
}

/** No room on the disk, no memory. */
const FULL = new Set(['53100', '53200']);

const BUSY = new Set(['55P03', '40P01', '40001', '53300', '57014', '25P03']);

/** Turns what passes by itself (lost connections, lock waits) into `unavailable`. */
function translate(error: unknown): unknown {
  if (error instanceof CommitUnknownError) return error;
  if (isConnectionLoss(error)) return unavailable('the database connection was lost', 1, error);
  const state = sqlState(error);
  if (state !== undefined && BUSY.has(state)) return unavailable('the database is busy', 1, error);
  if (state !== undefined && FULL.has(state)) {
    return unavailable('the database has no room left', 10, error);
  }
  return error;
}
