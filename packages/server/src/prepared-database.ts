import { fileURLToPath } from 'node:url';
import { engineRelease, type PreparedDatabase } from '@decision-ledger/embedded/prepared';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { JOBS_VERSION } from './platform/jobs/migrate-jobs.js';
import { readMigrations } from './platform/migrate.js';

/** The migrated, empty database that the build creates and a first start copies. */
export async function preparedDatabase(): Promise<PreparedDatabase> {
  const [engine, migrations] = await Promise.all([engineRelease(), readMigrations()]);
  const parts = [sha256Hex(engine), JOBS_VERSION, ...migrations.map(({ checksum }) => checksum)];
  return {
    file: fileURLToPath(new URL('./prepared-database.bin', import.meta.url)),
    madeOf: sha256Hex(parts.join('\n')),
  };
}
