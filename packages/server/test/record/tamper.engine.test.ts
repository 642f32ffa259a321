import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedConnection } from '../support/embedded.js';
import { describeEngine } from '../support/engine.js';
import { fillDataFolder } from '../support/engine-template.js';
import { createMigratedDatabase } from '../support/postgres.js';
import {
  createOrganisation,
  embeddedEnvironment,
  postgresEnvironment,
  readKeys,
  startService,
} from '../support/service-process.js';
import { itFindsTampering } from './support/tamper-suite.js';

const OPEN = { embedded: openEmbedded, postgres: openPostgres };

describeEngine((engine) => itFindsTampering(OPEN[engine]));

async function openEmbedded() {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-tamper-'));
  await fillDataFolder(dataDir);
  const environment = embeddedEnvironment(dataDir);
  const service = await startService(environment);
  return {
    ...{ url: service.url, liveKey: readKeys(dataDir).live, environment },
    rest: () => Promise.resolve(),
    connection: await embeddedConnection(dataDir),
    async close() {
      await service.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function openPostgres() {
  const database = await createMigratedDatabase();
  const environment = postgresEnvironment(database.url);
  const { live } = await createOrganisation(environment, 'acme');
  const service = await startService({ ...environment, LEDGER_ROLE: 'api' });
  const worker = await startService({ ...environment, LEDGER_ROLE: 'worker' });
  return {
    ...{ url: service.url, liveKey: live, environment },
    rest: () => worker.stop(),
    connection: { connectionString: database.url },
    async close() {
      await service.stop();
      await database.drop();
    },
  };
}
