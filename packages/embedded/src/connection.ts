import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';

/**
 * `postgres` owns the schema; `ledger_app` is the role of the service. `backup` is the owner, too: while it is
 * connected, the engine makes no checkpoint of its own, so the files from the last checkpoint on and the log
 * since then make a database.
 */
export type EngineUser = 'postgres' | 'ledger_app' | 'backup';

/**
 * Options of `new pg.Client` or `new pg.Pool` for a connection to an embedded engine.
 *
 * All clients share one PostgreSQL session, one statement or transaction at a time. Each client has
 * its own role, transactions and protocol-level prepared statements. Shared by all are settings made
 * with SET, temporary tables, SQL-level PREPARE, cursors WITH HOLD, advisory locks and LISTEN. COPY
 * FROM STDIN is refused. A transaction that waits too long for its client is rolled back and its
 * connection closed. A pool needs an `error` listener, because stopping the engine closes the
 * connections.
 *
 * @example
 * ```ts
 * import { engineClientConfig } from '@decision-ledger/embedded/connection';
 * import { startEngine } from '@decision-ledger/embedded/engine';
 * import pg from 'pg';
 *
 * const engine = await startEngine({ dataDir: './ledger-data' });
 * const client = new pg.Client(engineClientConfig(engine.socketPath, 'postgres'));
 * await client.connect();
 * ```
 */
export function engineClientConfig(socketPath: string, user: EngineUser): ClientConfig {
  return {
    user,
    database: 'postgres',
    host: 'localhost',
    password: '',
    ssl: false,
    stream: () => socketTo(socketPath),
  };
}

/** The driver connects to a host and port; this socket redirects it to a path. */
function socketTo(path: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = () => connect({ path });
  return socket;
}
