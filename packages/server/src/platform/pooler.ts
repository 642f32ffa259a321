import type pg from 'pg';
import { ConnectionError, connectNamed } from './connection-error.js';

/** A pooler with a single connection would let the second client wait for the first, ms. */
const PATIENCE_MS = 5000;

/**
 * Makes sure that a connection keeps its session: the role, the limits and the prepared statements of
 * one would otherwise be those of another.
 * @throws ConnectionError behind a pooler that does not keep sessions
 */
export async function requireSessions(config: pg.ClientConfig): Promise<void> {
  const patient = { ...config, query_timeout: PATIENCE_MS };
  const first = await connectNamed(patient, 'DATABASE_URL');
  try {
    const second = await connectNamed(patient, 'DATABASE_URL');
    try {
      const before = await sessionOf(first);
      // What the first has let go of, a pooler gives to the second for its transaction.
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
    `DATABASE_URL: the pooler at ${host}:${port} gives each transaction another connection, and the ` +
      'service needs its sessions kept: set pool_mode = session there, or connect to the server itself',
  );
}
