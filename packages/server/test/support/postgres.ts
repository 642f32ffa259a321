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

/** For the files named *.pg.test.ts: the server that postgres-global.ts has started for this run. */
function server(): PostgresServer {
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

/** A database of its own for a test file; `template` names one to copy, which is faster than migrating again. */
export function createDatabase(template?: string): Promise<TestDatabase> {
  return server().createDatabase(template);
}

/** Cuts the server off as a crash would. What follows must bring it back with startServer. */
export function killServer(): Promise<void> {
  return server().kill();
}

export function startServer(): Promise<void> {
  return server().start();
}

export function restartServer(): Promise<void> {
  return server().restart();
}
