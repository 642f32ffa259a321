import { describe, inject } from 'vitest';
import type { PostgresAddress } from '#server/platform/connection';
import { postgresAddress } from '#server/platform/postgres-address';
import { ROLE, SCHEMA } from './postgres-names.js';
import { attachPostgres, type PostgresHandle, type TestDatabase } from './postgres-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The shared server and the name of a migrated, empty database, or the reason why there is
     * none.
     */
    postgres: (PostgresHandle & { template: string }) | { reason: string };
  }
}

/**
 * For the files named *.pg.test.ts and *.engine.test.ts: the server started by postgres-global.ts.
 * Other files use it concurrently, so a test that stops or restarts a server starts its own.
 */
function server(): PostgresHandle & { template: string } {
  const handle = inject('postgres');
  if ('reason' in handle) throw new Error(handle.reason);
  return handle;
}

/**
 * `describe` for tests that need the server; skipped with the reason in the name if there is none.
 */
export function describePostgres(name: string, body: () => void): void {
  const handle = inject('postgres');
  if ('reason' in handle) describe.skip(`${name} (skipped: ${handle.reason})`, body);
  else describe(name, body);
}

/** A new, empty database for a test file, not migrated. */
export function createDatabase(): Promise<TestDatabase> {
  return attachPostgres(server()).createDatabase();
}

/** A new, migrated database: a copy, which takes a tenth of the time. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  const handle = server();
  return attachPostgres(handle).createDatabase(handle.template);
}

/** A copy of a database that nobody is connected to: what a backup of this moment would restore. */
export function copyDatabase({ name }: TestDatabase): Promise<TestDatabase> {
  return attachPostgres(server()).createDatabase(name);
}

/** What a service on a database of the tests is opened with. @param url of the service's login */
export function addressOf(url: string, ownerUrl = url): PostgresAddress {
  return postgresAddress({ url, ownerUrl, role: ROLE, schema: SCHEMA }, []);
}
