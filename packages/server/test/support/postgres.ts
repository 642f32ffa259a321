import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import type { PostgresAddress } from '#server/platform/connection';
import { postgresAddress } from '#server/platform/postgres-address';
import { pooledUrl } from './pgbouncer.js';
import { findPgBouncer } from './pgbouncer-install.js';
import { findPostgres } from './postgres-install.js';
import { ROLE, SCHEMA } from './postgres-names.js';
import { attachPostgres, type PostgresHandle, type TestDatabase } from './postgres-server.js';

/** The server of all pg tests. */
export interface SharedServer extends PostgresHandle {
  /** A migrated, empty database. */
  readonly template: string;
  /** Of a pooler in transaction mode; null if the run has none. */
  readonly poolerPort: number | null;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * The shared server and the name of a migrated, empty database, or the reason why there is
     * none.
     */
    postgres: SharedServer | { reason: string };
  }
}

/**
 * For the files named *.pg.test.ts and *.engine.test.ts: the server started by postgres-global.ts.
 * Other files use it concurrently, so a test that stops or restarts a server starts its own.
 */
function server(): SharedServer {
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

/** The same for tests that also need a standby. */
export function describeStandby(name: string, body: () => void): void {
  describeWith('pg_basebackup', name, body);
}

/** The same for tests that also need another program of PostgreSQL, which not every installation has. */
export function describeWith(program: string, name: string, body: () => void): void {
  if (hasProgram(program)) describePostgres(name, body);
  else describe.skip(`${name} (skipped: there is no ${program})`, body);
}

/** Whether the installation of PostgreSQL has a program; also true without one, for which there is another reason. */
export function hasProgram(name: string): boolean {
  const found = findPostgres();
  return 'reason' in found || existsSync(join(found.binaries, name));
}

/** The same for tests that also need PgBouncer. */
export function describePooled(name: string, body: () => void): void {
  const found = findPgBouncer();
  if ('reason' in found) describe.skip(`${name} (skipped: ${found.reason})`, body);
  else describePostgres(name, body);
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

/** The settings of a service on a database of this server: through the pooler, if the run has one. */
export function settingsOf(url: string): Readonly<Record<string, string>> {
  const { poolerPort } = server();
  if (poolerPort === null) return { DATABASE_URL: url };
  return { DATABASE_URL: pooledUrl(url, { port: poolerPort }), DATABASE_DIRECT_URL: url };
}

/** The server itself, for statements of a session, whatever is between it and the service. */
export function directUrl(environment: Readonly<Record<string, string>>): string {
  return environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL ?? '';
}

/** What a service on a database of the tests is opened with. @param url of the service's login */
export function addressOf(url: string, ownerUrl = url): PostgresAddress {
  return postgresAddress(
    { ...{ url, ownerUrl, directUrl: null, readUrl: null }, role: ROLE, schema: SCHEMA },
    [],
  );
}
