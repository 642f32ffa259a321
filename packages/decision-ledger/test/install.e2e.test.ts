import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackages, manifestOf, npm } from '../../../scripts/support/packed.js';
import { recordFirstDecision } from './support/first-decision.js';
import { run, start } from './support/installed.js';

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');
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

it('A consumer in CommonJS under node16 compiles and runs', () => {
  const consumer = `
    declare const process: { stdout: { write(text: string): void } };
    import { Ledger } from '@decision-ledger/client';
    import type { DecisionToRecord } from '@decision-ledger/client';
    import { TestLedger } from '@decision-ledger/client/testing';
    const decision: DecisionToRecord = {
      agent_id: 'desk', action_type: 'refund', inputs: {}, outputs: {}, confidence: 0.5,
    };
    const wrong: DecisionToRecord = { ...decision, confidence: 'high' };
    const ledger = new TestLedger();
    ledger.record(decision);
    void ledger.flush().then(() => process.stdout.write(\`\${typeof Ledger} \${ledger.recorded.length}\`));
  `;
  const compilerOptions = { module: 'node16', target: 'es2022', strict: true, types: [] };
  writeFileSync(
    join(installed, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  const compile = (text: string) => {
    writeFileSync(join(installed, 'consumer.ts'), text);
    return spawnSync(process.execPath, [TSC, '-p', '.'], { cwd: installed, encoding: 'utf8' })
      .stdout;
  };
  expect(compile(consumer)).toMatch(/^consumer\.ts\(\d+,\d+\): error TS2322: [^\n]*\n$/);
  expect(compile(consumer.replace("'high'", '0.7'))).toBe('');
  const ran = execFileSync(process.execPath, ['--no-warnings', 'consumer.js'], { cwd: installed });
  expect(ran.toString()).toBe('function 1');
});
