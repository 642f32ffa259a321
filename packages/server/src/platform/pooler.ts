import type pg from 'pg';
import { ConnectionError, connectNamed } from './connection-error.js';

/** Query timeout in ms: with a single-connection pooler, the second client would wait for the first. */
const QUERY_TIMEOUT_MS = 5000;

/**
 * Checks that connections keep their sessions. Otherwise they would share roles, limits and prepared
 * statements.
 * @throws ConnectionError behind a pooler that does not keep sessions
 */
export async function requireSessions(config: pg.ClientConfig): Promise<void> {
  const limited = { ...config, query_timeout: QUERY_TIMEOUT_MS };
  const first = await connectNamed(limited, 'DATABASE_URL');
  try {
    const second = await connectNamed(limited, 'DATABASE_URL');
    try {
      const before = await sessionOf(first);
      // A pooler in transaction mode gives the first client's server connection to the second.
      await second.query('begin');
      await sessionOf(second);
      const after = await sessionOf(first).catch(() => null);
      if (after !== before) throw keepsNoSessions(first);
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

async function sessionOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? null;
}

function keepsNoSessions({ host, port }: pg.Client): ConnectionError {
  return new ConnectionError(
    `DATABASE_URL: the pooler at ${host}:${port} uses another connection for each transaction, but the ` +
      'service needs persistent sessions: set pool_mode = session there, or connect to the server itself',
  );
}
