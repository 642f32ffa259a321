import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import pg from 'pg';
import { type Login, type Patience, QUICK, reportingWait } from './connection.js';
import { copyOut } from './copy-out.js';
import { DamagedError, noConnection, refusedForNow, sqlState } from './failures.js';
import {
  type Ledger,
  type LedgerContext,
  ledgerContext,
  openLedger,
  openWriter,
  type Transaction,
} from './ledger.js';
import type { Scope } from './principal.js';
import type { Queryable, Statement, TakeRow } from './statement.js';

/** The connection was lost during COMMIT, so the outcome is unknown and must be looked up. */
export class CommitUnknownError extends LedgerError {
  constructor(cause: unknown) {
    super('unavailable', 'the database connection was lost: the change may have taken place', {
      headers: { 'retry-after': '1' },
      cause,
    });
  }
}

/** The state of the connection pool. */
export interface PoolState {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

export interface Database extends Queryable {
  /** What its ledgers are opened with. */
  readonly context: LedgerContext;
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** One ledger. */
  ledger(scope: Scope): Ledger;
  /** Runs several statements, which may include BEGIN and COMMIT. Returns all rows. */
  script<Row extends object>(text: string): Promise<Row[]>;
  /** The current state of the pool. */
  pool(): PoolState;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  /** How long callers wait for a connection from now on. */
  usePatience(patience: Patience): void;
  close(): Promise<void>;
}

export interface DatabaseOptions extends Login {
  /** What the ledgers of this database are opened with. Default: the system's clock and randomness. */
  readonly context?: LedgerContext;
  readonly maxConnections: number;
  /** Default: that of a service. */
  readonly patience?: Patience;
  readonly onError?: (error: Error) => void;
  /**
   * Called per topic when a transaction with `notifies` has ended, also if it was rolled back or its
   * outcome is unknown. Listeners must read the data themselves.
   */
  readonly onNotification?: (topic: string) => void;
  /** Called for each answer that reports damaged data. */
  readonly onDamage?: (place: string) => void;
}

const LIMITS =
  'set lock_timeout = 10000; set statement_timeout = 60000; ' +
  'set idle_in_transaction_session_timeout = 15000';

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
  let { patience = QUICK } = options;
  const { context = ledgerContext() } = options;
  const pool = new pg.Pool({
    ...options.client,
    types,
    max: options.maxConnections,
    pipeline: true,
    connectionTimeoutMillis: patience.connectMs,
    allowExitOnIdle: false,
    onConnect: async (client) => {
      await client.query(`${options.session}; ${LIMITS}`);
    },
  });
  // Connections that are being closed may be cut: the embedded engine stops soon after.
  let isClosing = false;
  pool.on('error', (error) => {
    if (!isClosing) options.onError?.(error);
  });
  const state = (): PoolState => ({
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    max: options.maxConnections,
  });
  const onClient = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> => {
    try {
      const client = await reportingWait(patience, () => pool.connect()).catch((error: unknown) => {
        throw noConnection(error, state());
      });
      return await release(client, () => work(client));
    } catch (error) {
      if (error instanceof DamagedError) options.onDamage?.(error.place);
      throw error;
    }
  };
  const query = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    try {
      return await onClient((client) => run<Row>(client, statement));
    } finally {
      if (statement.notifies !== undefined) options.onNotification?.(statement.notifies);
    }
  };
  const database: Database = {
    context,
    query,
    copy: (statement, take) => onClient((client) => copy(client, statement, take)),
    ledger: (scope) => openLedger(database, scope, context),
    transaction: async (work) => {
      const notified = new Set<string>();
      try {
        return await onClient((client) => runTransaction(client, context, work, notified));
      } finally {
        for (const topic of notified) options.onNotification?.(topic);
      }
    },
    script: <Row extends object>(text: string) =>
      onClient((client) => runScript<Row>(client, text)),
    pool: state,
    ping: async () => {
      await query({ text: 'select 1', values: [] });
    },
    usePatience(changed) {
      patience = changed;
      pool.options.connectionTimeoutMillis = changed.connectMs;
    },
    close: () => {
      isClosing = true;
      return pool.end();
    },
  };
  return database;
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
    // Several statements return a list of results.
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(config);
    return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
  } catch (error) {
    throw translate(error);
  }
}

async function copy(client: pg.ClientBase, statement: Statement, take: TakeRow): Promise<void> {
  try {
    await copyOut(client, statement, take);
  } catch (error) {
    throw translate(error);
  }
}

/** Rolls back after a failure, because the script may have left a transaction open. */
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
  context: LedgerContext,
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
    const tx: Transaction = {
      query,
      copy: (statement, take) => copy(client, statement, take),
      commit,
      ledger: (scope) => openWriter(tx, scope, context),
    };
    const result = work(tx);
    const [, value] = await Promise.all([begun, result]);
    if (committing === undefined) await commit();
    return value;
  } catch (error) {
    // After COMMIT was sent, the server ends the transaction in any case.
    if (committing !== undefined) await requireKnown(committing);
    else if (!isConnectionLoss(error)) await client.query('rollback').catch(() => undefined);
    throw translate(error);
  }
}

/** After a lost connection only the answer to COMMIT decides; those to earlier statements are lost too. */
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

const CONNECTION_LOSS = /^(08|57P0)/;

/** Network errors only: file system errors in a transaction do not affect its connection. */
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

/** Maps temporary errors (lost connections, lock waits) and damage to `unavailable`. */
function translate(error: unknown): unknown {
  if (error instanceof LedgerError) return error;
  if (isConnectionLoss(error)) {
    return refusedForNow(error) ?? unavailable('the database connection was lost', 1, error);
  }
  return refusedForNow(error) ?? error;
}
