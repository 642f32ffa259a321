import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../support/paths.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-otlp-'));
const environment = embeddedEnvironment(join(folder, 'data'));
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService(environment);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

it('The example of a traced agent ends in three decisions, a valid chain and their exposure', async () => {
  const { PATH = '' } = process.env;
  const { live } = readKeys(join(folder, 'data'));
  const env = { PATH, LEDGER_URL: service.url, LEDGER_KEY: live };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'examples/otlp/agent.js')],
    { cwd: folder, env, encoding: 'utf8', timeout: 60_000 },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [first, ...rest] = stdout.trimEnd().split('\n');
  expect(first).toBe('3 decisions, chain valid');
  expect(rest).toEqual([
    expect.stringMatching(/^refund, confidence 0\.93: done, exposure \d+\.\d\d USD$/),
    expect.stringMatching(/^refund, confidence 0\.93: done, exposure \d+\.\d\d USD$/),
    expect.stringMatching(/^cancel_order, confidence 0\.6: failed, exposure \d+\.\d\d USD$/),
  ]);
  const verified = await runCommand(['verify', '--mode', 'live', '--json'], environment);
  expect(JSON.parse(verified.stdout)).toMatchObject({ is_valid: true });
});
