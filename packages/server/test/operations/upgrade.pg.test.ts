import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { createDatabase, describePostgres } from '../support/postgres.js';
import { FIXTURES, loadDump, recordedOf } from './support/archived.js';
import { upgradeSuite } from './support/upgrade-suite.js';

describePostgres('Databases of earlier releases on PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-upgrade-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  describe.for(FIXTURES)('A database of the %s release', (fixture) => {
    const { master_key = '' } = recordedOf(fixture, 'postgres');
    const environment = {
      ...{ DATABASE_URL: '', LEDGER_MASTER_KEY: master_key },
      LEDGER_DATA_DIR: join(folder, fixture),
    };
    let drop = async () => {};
    beforeAll(async () => {
      const database = await createDatabase();
      ({ drop } = database);
      environment.DATABASE_URL = database.url;
    });
    afterAll(() => drop());
    upgradeSuite({
      ...{ fixture, engine: 'postgres', folder, environment },
      place: () => loadDump(fixture, environment.DATABASE_URL),
    });
  });
});
