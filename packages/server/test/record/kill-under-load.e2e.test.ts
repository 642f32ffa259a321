import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { embeddedConnection } from '../support/embedded.js';
import { embeddedEnvironment, readKeys } from '../support/service-process.js';
import { survivesKills } from './support/kill-rounds.js';

/** The long run has many. */
const KILLS = 2;

describe('Kills under load on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-kill-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it(`${KILLS} kills under load lose nothing acknowledged, and retries record nothing twice`, async () => {
    const target = {
      environment: embeddedEnvironment(dataDir),
      liveKey: () => readKeys(dataDir).live,
      connection: () => embeddedConnection(dataDir),
    };
    await survivesKills(target, KILLS);
  }, 900_000);
});
