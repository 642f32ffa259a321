import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';

/** `postgres` owns the schema; `ledger_app` is what the service acts as. */
export type EngineUser = 'postgres' | 'ledger_app';

/**
 * What `new pg.Client` or `new pg.Pool` needs to reach an embedded engine.
 *
 * All clients share one session of PostgreSQL, one statement or transaction at a time. A client has
 * its own role, transactions and prepared statements (those made by the protocol). Settings made
 * with SET, temporary tables, SQL-level PREPARE, cursors WITH HOLD, advisory locks and LISTEN are
 * shared by all. COPY FROM STDIN is refused. A transaction that waits too long for its client is
 * rolled back and its connection ended. A pool needs an `error` listener: stopping the engine ends
 * the connections.
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

/** The driver connects its stream to a host and port; this one goes to the socket instead. */
function socketTo(path: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = () => connect({ path });
  return socket;
}
