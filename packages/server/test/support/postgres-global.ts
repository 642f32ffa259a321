import type { TestProject } from 'vitest/node';
import { findPostgres } from './postgres-install.js';
import { startPostgres } from './postgres-server.js';

/** Once for the whole run of the pg tests. */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const found = findPostgres();
  if ('reason' in found) {
    console.warn(`\nSKIPPED: the tests on a PostgreSQL server: ${found.reason}.\n`);
    project.provide('postgres', found);
    return undefined;
  }
  const server = await startPostgres({ settings: { max_connections: '300' } });
  project.provide('postgres', server.handle);
  return () => server.stop();
}
