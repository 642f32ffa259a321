import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { PreparedDatabase } from './platform/embedded/prepared.js';
import { JOBS_VERSION } from './platform/jobs/migrate-jobs.js';
import { readMigrations } from './platform/migrate.js';

/** The migrated, empty database that the build creates and a first start copies. */
export async function preparedDatabase(): Promise<PreparedDatabase> {
  const [engine, migrations] = await Promise.all([engineVersion(), readMigrations()]);
  const parts = [engine, JOBS_VERSION, ...migrations.map(({ checksum }) => checksum)];
  return {
    file: fileURLToPath(new URL('./prepared-database.bin', import.meta.url)),
    madeOf: sha256Hex(parts.join('\n')),
  };
}

async function engineVersion(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return sha256Hex(await readFile(manifest, 'utf8'));
}
