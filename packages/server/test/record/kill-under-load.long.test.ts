import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { embeddedConnection } from '../support/embedded.js';
import { createDatabase, describePostgres } from '../support/postgres.js';
import {
  createOrganisation,
  embeddedEnvironment,
  postgresEnvironment,
  readKeys,
} from '../support/service-process.js';
import { survivesKills } from './support/kill-rounds.js';

const KILLS = 100;

describe('Many kills under load on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-kill-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it(`${KILLS} kills lose nothing acknowledged, and retries record nothing twice`, async () => {
    const target = {
      environment: embeddedEnvironment(dataDir),
      liveKey: () => readKeys(dataDir).live,
      connection: () => embeddedConnection(dataDir),
    };
    await survivesKills(target, KILLS);
  });
});

describePostgres('Many kills under load on PostgreSQL', () => {
  it(`${KILLS} kills lose nothing acknowledged, and retries record nothing twice`, async () => {
    const database = await createDatabase();
    const environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    const connection = async () => ({ connectionString: database.url });
    await survivesKills({ environment, liveKey: () => live, connection }, KILLS);
    await database.drop();
  });
});
