import { describe, inject } from 'vitest';
import { attachPostgres, type PostgresHandle, type TestDatabase } from './postgres-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run and the name of a migrated, empty database; or why there is none. */
    postgres: (PostgresHandle & { template: string }) | { reason: string };
  }
}

/**
 * For the files named *.pg.test.ts and *.engine.test.ts: the server that postgres-global.ts has started
 * for this run. Other files use it at the same time, so whoever stops or restarts one starts a server of
 * its own.
 */
function server(): PostgresHandle & { template: string } {
  const handle = inject('postgres');
  if ('reason' in handle) throw new Error(handle.reason);
  return handle;
}

/** `describe` for tests that need the server; skipped, with the reason in the name, where there is none. */
export function describePostgres(name: string, body: () => void): void {
  const handle = inject('postgres');
  if ('reason' in handle) describe.skip(`${name} (skipped: ${handle.reason})`, body);
  else describe(name, body);
}

/** A database of its own for a test file: empty, not migrated. */
export function createDatabase(): Promise<TestDatabase> {
  return attachPostgres(server()).createDatabase();
}

/** The same, migrated: a copy, which takes a tenth of the time. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  const handle = server();
  return attachPostgres(handle).createDatabase(handle.template);
}
