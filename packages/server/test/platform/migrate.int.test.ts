import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readConfig } from '#server/config';
import { ownerLogin, serviceLogin } from '#server/platform/connection';
import { openStorage, type Storage } from '#server/storage';
import { expectAppendOnly } from './support/append-only.js';
import { expectSnapshot } from './support/schema-snapshot.js';

describe('Migrations on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-migrate-'));
  let storage: Storage;

  beforeAll(async () => {
    const onFailure = (error: Error) => console.error(error);
    storage = await openStorage(readConfig({ LEDGER_DATA_DIR: dataDir }), {
      share: false,
      onConnectionError: onFailure,
      onEngineFailure: onFailure,
    });
  });
  afterAll(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });

  it('Migrations create the same schema as on a PostgreSQL server', async () => {
    await expectSnapshot(ownerLogin(storage.address).client);
  });

  it('The service role cannot change or remove records', async () => {
    await expectAppendOnly(serviceLogin(storage.address).client, false);
  });
});
