import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Login, type Patience, QUICK, reportingWait } from './connection.js';
import { isOwnConnectionLoss } from './connection-loss.js';
import { modeOf } from './connection-mode.js';
import { DamagedError, noConnection, sqlState, TOO_MANY_CONNECTIONS } from './failures.js';
import {
  type Ledger,
  type LedgerContext,
  ledgerContext,
  openLedger,
  type Transaction,
} from './ledger.js';
import type { Scope } from './principal.js';
import type { Queryable, Statement } from './statement.js';
import { runScript, runTransaction } from './transaction.js';

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
  const mode = modeOf(options);
  const pool = new pg.Pool({
    ...options.client,
    types,
    max: options.maxConnections,
    pipeline: true,
    connectionTimeoutMillis: patience.connectMs,
    allowExitOnIdle: false,
    onConnect: async (client) => {
      if (mode.session !== null) await client.query(mode.session);
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
      const client = await reportingWait(patience, () => connect(pool, patience)).catch(
        (error: unknown) => {
          throw noConnection(error, state());
        },
      );
      return await release(client, () => work(client));
    } catch (error) {
      if (error instanceof DamagedError) options.onDamage?.(error.place);
      throw error;
    }
  };
  const query = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    try {
      return await onClient((client) => mode.alone(client).query<Row>(statement));
    } finally {
      if (statement.notifies !== undefined) options.onNotification?.(statement.notifies);
    }
  };
  const database: Database = {
    context,
    query,
    copy: (statement, take) => onClient((client) => mode.alone(client).copy(statement, take)),
    ledger: (scope) => openLedger(database, scope, context),
    transaction: async (work) => {
      const notified = new Set<string>();
      try {
        return await onClient((client) => {
          const statements = mode.within(client);
          const { begin, hold } = mode;
          return runTransaction({ client, begin, hold, statements, context, notified }, work);
        });
      } finally {
        for (const topic of notified) options.onNotification?.(topic);
      }
    },
    script: <Row extends object>(text: string) =>
      onClient((client) => runScript<Row>(client, mode.script(text))),
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

const RETRY_MS = 100;

/** While the server has no connection left, waits for one: of this pool, or of other processes. */
async function connect(pool: pg.Pool, { connectMs }: Patience): Promise<pg.PoolClient> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return await pool.connect();
    } catch (error) {
      const isOver = connectMs !== 0 && waited >= connectMs;
      if (sqlState(error) !== TOO_MANY_CONNECTIONS || isOver) throw error;
      await pause(RETRY_MS);
    }
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
    broken ||= isOwnConnectionLoss(error);
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
