import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isThorough } from '../../../proof/test/support/runs.js';
import { createCaller } from '../support/caller.js';
import { keyText } from '../support/keyring.js';
import {
  type CommandResult,
  embeddedEnvironment,
  readKeys,
  runCommand,
  startCommand,
  startService,
} from '../support/service-process.js';

let dataDir: string;
let environment: ReturnType<typeof embeddedEnvironment>;
/** What a change says while a service runs. */
let besideService: CommandResult;
const ROTATE = ['master-key', 'rotate', '--json'];
const fileOf = (name: string) => join(dataDir, name);
const keyFile = () => readFileSync(fileOf('master.key'), 'utf8');

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-key-'));
  environment = embeddedEnvironment(dataDir);
  await whileServing(async (caller) => {
    const secrets = { stripe: { signing_secrets: ['whsec_first'] } };
    expect((await caller.call('PATCH', '/api/v1/settings', secrets)).status).toBe(200);
    expect((await runCommand(['signing-key', 'show'], environment)).code).toBe(0);
    besideService = await runCommand(ROTATE, environment);
  });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function whileServing<Result>(
  work: (caller: ReturnType<typeof createCaller>) => Promise<Result>,
): Promise<Result> {
  const service = await startService(environment);
  const caller = createCaller(service.url, readKeys(dataDir).live);
  try {
    return await work(caller);
  } finally {
    caller.close();
    await service.stop();
  }
}

const RANGE = { export_type: 'forensic', start_date: '2000-01-01', end_date: '2100-01-01' };

describe('Master key of a data folder', () => {
  it('The master key cannot be changed under a running service', () => {
    expect(besideService.code).toBe(2);
    expect(besideService.stderr).toMatch(/is in use by process \d+.*Stop that process first/);
    expect(existsSync(fileOf('master.key.next'))).toBe(false);
  });

  it('One command changes the master key and its file', async () => {
    const before = keyFile();
    const { code, stdout, stderr } = await runCommand(ROTATE, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ledgers: 2, values: 2, unreadable: [] });
    expect(keyFile()).not.toBe(before);
    expect(existsSync(fileOf('master.key.next'))).toBe(false);
    expect(stdout).not.toContain(before.trim());
    expect(stdout).not.toContain(keyFile().trim());
  });

  it('A change of the master key completes after kills at any point', async () => {
    for (const delay of isThorough ? [0, 20, 60] : [0, 60]) {
      const run = startCommand(ROTATE, environment);
      let hasEnded = false;
      void run.ended.then(() => {
        hasEnded = true;
      });
      while (!hasEnded && !existsSync(fileOf('master.key.next'))) await sleep(1);
      expect(hasEnded).toBe(false);
      await sleep(delay);
      run.kill();
      await run.ended;
      const { code, stderr } = await runCommand(ROTATE, environment);
      expect({ delay, code, stderr }).toEqual({ delay, code: 0, stderr: '' });
      expect(existsSync(fileOf('master.key.next'))).toBe(false);
    }
    const exported = await whileServing((caller) => caller.call('POST', '/api/v1/exports', RANGE));
    expect(exported.status).toBe(202);
  });

  it('A start with another master key is refused with the remedy', async () => {
    const kept = keyFile();
    writeFileSync(fileOf('master.key'), `${keyText(9)}\n`);
    for (const args of [['serve'], ['import', fileOf('keys.json'), '--mode', 'test']]) {
      const { code, stdout, stderr } = await runCommand(args, environment);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/is not the one of this database.*master-key reset/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    const { code } = await runCommand(['verify', '--json'], environment);
    expect(code).toBe(0);
    writeFileSync(fileOf('master.key'), kept);
  });
});

/** A folder that nobody can write to, not even root; only root may mount one. */
function mountReadOnly(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-read-only-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', folder]);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

const readOnly = mountReadOnly();
afterAll(() => {
  if (readOnly === null) return;
  spawnSync('umount', ['--lazy', readOnly]);
  rmSync(readOnly, { recursive: true });
});

describe('Unusable data folder', () => {
  it('An unusable data folder is named with the problem and the remedy, and the command exits with 2', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-folder-'));
    const cases = [
      ['master.key', /The data folder .* cannot be used: .*EISDIR.*Give the user of this process/],
      [
        'keys.json.new',
        /The data folder .* cannot be used: .*EISDIR.*Give the user of this process/,
      ],
    ] as const;
    for (const [name, sentence] of cases) {
      const own = join(folder, name);
      mkdirSync(join(own, name), { recursive: true });
      const { code, stdout, stderr } = await runCommand(['serve'], embeddedEnvironment(own));
      expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    rmSync(folder, { recursive: true });
  });

  it.skipIf(readOnly === null)('A read-only data folder is named with the remedy', async () => {
    const { code, stderr } = await runCommand(['serve'], embeddedEnvironment(readOnly ?? ''));
    expect(code).toBe(2);
    expect(stderr).toMatch(/The data folder .* cannot be used: .*EROFS.*LEDGER_DATA_DIR/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('A service without keys.json starts and says how to get another key', async () => {
    const kept = readFileSync(fileOf('keys.json'), 'utf8');
    rmSync(fileOf('keys.json'));
    const service = await startService(environment);
    await service.stop();
    expect(service.output()).toMatch(/keys\.json no longer exists.*key create/);
    writeFileSync(fileOf('keys.json'), kept);
  });
});
