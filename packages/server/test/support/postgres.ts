import { describe, inject } from 'vitest';
import {
  attachPostgres,
  type PostgresHandle,
  type PostgresServer,
  type TestDatabase,
} from './postgres-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run, or why there is none. */
    postgres: PostgresHandle | { reason: string };
  }
}

/**
 * For the files named *.pg.test.ts: the server that postgres-global.ts has started for this run. Other
 * files use it at the same time, so whoever stops or restarts one starts a server of its own.
 */
function server(): Pick<PostgresServer, 'createDatabase'> {
  const handle = inject('postgres');
  if ('reason' in handle) throw new Error(handle.reason);
  return attachPostgres(handle);
}

/** `describe` for tests that need the server; skipped, with the reason in the name, where there is none. */
export function describePostgres(name: string, body: () => void): void {
  const handle = inject('postgres');
  if ('reason' in handle) describe.skip(`${name} (skipped: ${handle.reason})`, body);
  else describe(name, body);
}

/** A database of its own for a test file. */
export function createDatabase(): Promise<TestDatabase> {
  return server().createDatabase();
}
