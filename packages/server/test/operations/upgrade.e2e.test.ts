import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { embeddedEnvironment } from '../support/service-process.js';
import { FIXTURES, unpackFolder } from './support/archived.js';
import { formerVerdicts, upgradeSuite } from './support/upgrade-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.for(FIXTURES)('A data folder of the %s release', (fixture) => {
  const dataDir = join(folder, fixture);
  upgradeSuite({
    ...{ fixture, engine: 'embedded', folder, environment: embeddedEnvironment(dataDir) },
    place: () => unpackFolder(fixture, dataDir),
  });
});

it('A bundle of an earlier release keeps its verdict', () => {
  expect(formerVerdicts()).toMatchObject({ integrity: { verdict: 'pass' } });
});
