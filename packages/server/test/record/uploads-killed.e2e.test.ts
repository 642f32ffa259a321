import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { embeddedEnvironment, readKeys } from '../support/service-process.js';
import { uploadSurvivesKills } from './support/killed-upload.js';

describe('Kills in the middle of an upload on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-upload-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('A client continues at the offset that the service states, and every byte is there', async () => {
    await uploadSurvivesKills(embeddedEnvironment(dataDir), () => readKeys(dataDir).live);
  }, 600_000);
});
