import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { verifyOverHttp } from '../support/expect-kept.js';
import {
  type CommandResult,
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-cli-'));
const dataDir = join(folder, 'data');
const environment: Environment = embeddedEnvironment(dataDir);
const decisions = join(folder, 'decisions.ndjson');
const LINES = 300;
const LIVE = ['--mode', 'live'];
let service: ServiceProcess;

const run = (...args: string[]): Promise<CommandResult> => runCommand(args, environment);

async function runJson(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

function body(n: number, fields: object = {}): object {
  const payload = { inputs: { n }, outputs: {}, metadata: { order: `o-${n}` } };
  return { agent_id: 'importer', action_type: 'check', confidence: 0.5, ...payload, ...fields };
}

beforeAll(async () => {
  const lines = Array.from({ length: LINES }, (_, n) =>
    JSON.stringify(n % 2 === 0 ? body(n) : { ref: `line-${n}`, body: body(n) }),
  );
  writeFileSync(decisions, `${lines.join('\n')}\n\n${lines[0]}\n`);
  service = await startService(environment);
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('First start', () => {
  it('The first start writes both keys to keys.json, for their owner alone', () => {
    const keys = readKeys(dataDir);
    expect(keys.live).toMatch(/^lg_live_/);
    expect(keys.test).toMatch(/^lg_test_/);
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
  });

  it('The first start prints both keys and a curl command that records a decision', async () => {
    const { live, test } = readKeys(dataDir);
    await expect.poll(() => service.output()).toMatch(/}'$/m);
    expect(service.output()).toContain(live);
    expect(service.output()).toContain(test);
    const command = /^curl [\s\S]*?}'$/m.exec(service.output())?.[0] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { seq: 1 } });
  });

  it('The next start prints no key', async () => {
    await service.stop();
    service = await startService(environment);
    expect(service.output()).not.toMatch(/lg_(live|test)_/);
  });
});

describe('Commands beside the running service', () => {
  it('An import records every line once, even equal ones', async () => {
    const all = LINES + 1;
    const first = { total: all, imported: all, decisions: all, financial_events: 0, already: 0 };
    expect(await runJson('import', decisions, ...LIVE)).toEqual(first);
    const again = { ...first, imported: 0, decisions: 0, already: all };
    expect(await runJson('import', decisions, ...LIVE)).toEqual(again);
    const report = await verifyOverHttp(createCaller(service.url, readKeys(dataDir).live));
    expect(report).toMatchObject({ is_valid: true, records_checked: LINES + 1 });
  });

  it('A key works immediately when issued and stops within a second when revoked', async () => {
    const issued = await runJson(
      'key',
      'create',
      ...LIVE,
      '--name',
      'reader',
      '--permissions',
      'read',
    );
    expect(issued).toMatchObject({ permissions: ['read'], mode: 'live' });
    const { key, key_id } = issued as { key: string; key_id: string };
    const list = (key_: string) =>
      fetch(`${service.url}/api/v1/decisions`, { headers: { 'X-Ledger-Key': key_ } });
    expect((await list(key)).status).toBe(200);
    await runJson('key', 'revoke', key_id, ...LIVE);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await list(key)).status).toBe(401);
    expect(JSON.stringify(await runJson('key', 'list', ...LIVE))).not.toContain(key);
  });

  it('A replay of attribution agrees with the stored models', async () => {
    expect(await runJson('attribution', 'replay', ...LIVE)).toMatchObject({ differing: [] });
    const { stdout } = await run('attribution', 'replay', '--mode', 'test');
    expect(stdout).toMatch(/^The newest \d+ models follow/);
  });

  it('A recalculation estimates all decisions again', async () => {
    const all = LINES + 1;
    await runJson('liability', 'recalculate', ...LIVE);
    const liability = { response_cost: '500' };
    const caller = createCaller(service.url, readKeys(dataDir).live);
    expect((await caller.call('PATCH', '/api/v1/settings', { liability })).status).toBe(200);
    caller.close();
    const recalculated = await runJson('liability', 'recalculate', ...LIVE);
    expect(recalculated).toEqual({ decisions: all, changed: all });
    const { stdout } = await run('liability', 'recalculate', '--mode', 'test');
    expect(stdout).toMatch(/^Decisions re-estimated: \d+\. Exposures changed: \d+\.\n$/);
  });

  it('A new organisation has its own keys', async () => {
    const created = await runJson('org', 'create', 'second');
    expect(created).toEqual({
      org_id: expect.stringMatching(/^org_/),
      live: expect.stringMatching(/^lg_live_/),
      test: expect.stringMatching(/^lg_test_/),
    });
    const twice = await run('org', 'create', 'second');
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toContain('already exists');
    const ambiguous = await run('key', 'list', ...LIVE);
    expect(ambiguous.stderr).toContain('select one with --org');
  });

  it('Verification checks every chain', async () => {
    expect(await runJson('verify')).toMatchObject({ is_valid: true });
    const live = await verifyOverHttp(createCaller(service.url, readKeys(dataDir).live));
    const anchor = ['--expect-seq', String(live.head.seq + 1), '--expect-hash', live.head.hash];
    const cut = await run('verify', '--org', 'default', '--mode', 'live', ...anchor);
    expect(cut.code).toBe(1);
    expect(cut.stdout).toContain('BROKEN');
  });
});

describe('Invalid files', () => {
  it('A missing or unreadable file is named', async () => {
    expect((await run('import', join(folder, 'none'), ...LIVE)).stderr).toContain('does not exist');
    expect((await run('import', folder, '--org', 'default', ...LIVE)).stderr).toContain(
      'is a folder',
    );
    const file = join(folder, 'latin1.ndjson');
    writeFileSync(file, Buffer.from([0x7b, 0xe9, 0x7d, 0x0a]));
    expect((await run('import', file, '--org', 'default', ...LIVE)).stderr).toContain(
      'is not UTF-8',
    );
  });
});

describe('Second process', () => {
  it('A second service on the same folder is refused, and the first process is named', async () => {
    const second = await run('serve');
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('is in use by process');
  });

  it('DATABASE_URL needs a master key', async () => {
    const { code, stderr } = await runCommand(['serve'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('LEDGER_MASTER_KEY is required');
  });

  it('A port in use and invalid settings are reported', async () => {
    const taken = await runCommand(['serve'], {
      LEDGER_DATA_DIR: join(folder, 'other'),
      LEDGER_PORT: new URL(service.url).port,
    });
    expect(taken.stderr).toContain('is already in use: choose another with --port or LEDGER_PORT');
    const wrong = await runCommand(['serve'], { LEDGER_PORT: 'http' });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('LEDGER_PORT is not valid');
  });

  it('A command in a folder without a ledger creates none', async () => {
    const { code, stderr } = await runCommand(['verify'], {
      LEDGER_DATA_DIR: join(folder, 'nowhere'),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('there is no ledger in');
  });

  it('An unknown option exits with 2, never with the 1 of a broken chain', async () => {
    expect((await run('verify', '--nope')).code).toBe(2);
    expect((await run('nope')).code).toBe(2);
  });
});

describe('Keys on disk', () => {
  it('The keys are in keys.json and nowhere else in the data folder in plain text', async () => {
    await service.stop();
    const { live, test } = readKeys(dataDir);
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `grep -rlF -e '${live}' -e '${test}' '${dataDir}' || true`,
    ]);
    expect(stdout.trim().split('\n')).toEqual([join(dataDir, 'keys.json')]);
    expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toContain(live);
  });
});
