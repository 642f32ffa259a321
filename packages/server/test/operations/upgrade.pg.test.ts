import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createDatabase, describePostgres } from '../support/postgres.js';
import { postgresEnvironment } from '../support/service-process.js';
import { upgradeSuite } from './support/upgrade-suite.js';

describePostgres('A PostgreSQL database of this release and the next release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-upgrade-'));
  let url = '';
  let drop = async () => {};
  beforeAll(async () => {
    ({ url, drop } = await createDatabase());
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await drop();
  });
  upgradeSuite(() => postgresEnvironment(url), folder);
});
