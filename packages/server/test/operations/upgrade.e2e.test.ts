import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { embeddedEnvironment } from '../support/service-process.js';
import { upgradeSuite } from './support/upgrade-suite.js';

describe('A data folder of this release and the next release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-upgrade-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  upgradeSuite(() => embeddedEnvironment(join(folder, 'data')), folder);
});
