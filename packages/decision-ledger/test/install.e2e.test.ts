import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackages, manifestOf, npm } from '../../../scripts/support/packed.js';
import { recordFirstDecision } from './support/first-decision.js';
import { run, start } from './support/installed.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-install-'));
const packed = join(folder, 'packed');
const installed = join(folder, 'installed');

beforeAll(() => {
  const said = npm(['run', 'pack', '--', packed], join(import.meta.dirname, '../../..'));
  const archives = said.match(/^\S+\.tgz$/gm) ?? [];
  installPackages(
    installed,
    archives.map((name) => join(packed, name)),
    ['--prefer-offline'],
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Packed and installed, the program runs without a build and states the common version', async () => {
  const { version } = manifestOf(join(import.meta.dirname, '..'));
  expect(await run(installed, '--version')).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
});

it('Without arguments it is the service, which records a decision that verifies', async () => {
  await recordFirstDecision(installed);
});

it('The service refuses to start if the packages for its bucket are not installed, and names them', async () => {
  const { ended } = start(installed, ['serve'], {
    ...{ LEDGER_FILES_URL: 's3://evidence/exports?region=eu-central-1', LEDGER_PORT: '0' },
    ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', LEDGER_DATA_DIR: 'bucket-data' },
  });
  const { code, stderr } = await ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^decision-ledger: LEDGER_FILES_URL .*npm install @aws-sdk\/client-s3 @aws-sdk\/lib-storage/m,
  );
});
