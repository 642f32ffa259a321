import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { Journal, orderOf, runWriters, send } from '../support/load.js';
import {
  embeddedEnvironment,
  type Keys,
  postgresEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';
import { expectKept } from './support/kept.js';
import { append, restoredSuite } from './support/restored-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-backup-'));
const dataDir = join(folder, 'data');
const environment = embeddedEnvironment(dataDir);
const run = (...args: string[]) => runCommand(args, environment);
let service: ServiceProcess | null = null;
let keys: Keys;

beforeAll(async () => {
  service = await startService(environment);
  keys = readKeys(dataDir);
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

/** Unpacks a backup into a new folder and returns the report. */
async function restore(file: string, name: string, ...options: string[]) {
  const data = join(folder, name);
  const args = ['restore', file, '--data', data, '--json', ...options];
  const { code, stdout, stderr } = await run(...args);
  return { data, code, stderr, report: stdout === '' ? null : JSON.parse(stdout) };
}

describe('A backup of a running service', () => {
  const file = join(folder, 'loaded.zip');

  it('It is made while decisions are acknowledged, and restores to all that were before', async () => {
    const caller = createCaller(service?.url ?? '', keys.test);
    const journal = new Journal();
    let isOver = false;
    const load = runWriters(4, async (writer, n) => {
      const { kind } = await send(caller, journal, orderOf(`load-${writer}`, n));
      if (kind === 'unanswered') throw new Error('the service did not answer');
      // The limit of the rate, not the backup, refuses a request.
      if (kind === 'refused') await sleep(100);
      return !isOver;
    });
    await until('there is some load', () => journal.decisions > 200);
    const before = new Map(journal.acknowledged);
    const { code, stdout, stderr } = await run('backup', file, '--json');
    const during = journal.acknowledged.size - before.size;
    isOver = true;
    await load;
    caller.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(during).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(spawnSync('unzip', ['-tq', file]).status).toBe(0);
    const made = JSON.parse(stdout);
    expect(made).toMatchObject({ has_master_key: true, product_version: expect.any(String) });

    const { data, report, ...ended } = await restore(file, 'restored');
    expect(ended).toEqual({ code: 0, stderr: '' });
    expect(report).toMatchObject({ is_valid: true, differences: [], loss: null });
    const heads = report.chains.map(({ head }: { head: object }) => head);
    const stated = made.ledgers.flatMap((ledger: Record<'decisions' | 'activity', object>) => [
      ledger.decisions,
      ledger.activity,
    ]);
    expect(heads).toEqual(stated);
    const certificateOf = (dir: string) => readFileSync(join(dir, 'installation.json'), 'utf8');
    expect(certificateOf(data)).toBe(certificateOf(dataDir));
    await expectKept(data, keys, [...before.values()].flat());
  });

  it('A folder with anything in it, and a file that is there, are left alone', async () => {
    const taken = join(folder, 'taken');
    mkdirSync(taken);
    writeFileSync(join(taken, 'note'), 'mine');
    const { code, stderr } = await restore(file, 'taken');
    expect(code).toBe(2);
    expect(stderr).toContain('is not empty: restore into a new folder');
    expect(readdirSync(taken)).toEqual(['note']);
    const again = await run('backup', file);
    expect({ code: again.code, text: again.stderr }).toEqual({
      ...{ code: 2, text: expect.stringContaining('already exists') },
    });
  });

  const bare = join(folder, 'bare.zip');

  it('Killed while it is made, nothing has the final name, and it can be repeated', async () => {
    const making = startCommand(['backup', bare], environment);
    await until('it is being written', () => sizeOf(`${bare}.part`) > 100_000);
    making.kill();
    await making.ended;
    expect(existsSync(bare)).toBe(false);
    expect((await run('backup', bare, '--no-master-key')).code).toBe(0);
  });

  it('Killed while it is restored, no folder has the final name, and it can be repeated', async () => {
    const data = join(folder, 'killed');
    const restoring = startCommand(['restore', bare, '--data', data], environment);
    const isDraft = (name: string) => name.startsWith('killed.restoring-');
    await until('it is being unpacked', () => {
      const draft = readdirSync(folder).find(isDraft);
      return draft !== undefined && existsSync(join(folder, draft, 'pg/base'));
    });
    restoring.kill();
    await restoring.ended;
    expect(existsSync(data)).toBe(false);
    const { code, report } = await restore(bare, 'killed');
    expect({ code, report }).toMatchObject({
      ...{ code: 0, report: { is_valid: true, has_master_key: false } },
    });
  });

  it('Restored without the master key, the folder waits for it', async () => {
    const data = join(folder, 'killed');
    expect(existsSync(join(data, 'master.key'))).toBe(false);
    expect(readdirSync(data)).not.toContain('keys.json');
  });

  it('A service that stops ends the backup with one sentence', async () => {
    const stopped = join(folder, 'ended.zip');
    const making = startCommand(['backup', stopped], environment);
    await until('it is being written', () => sizeOf(`${stopped}.part`) > 100_000);
    await service?.stop();
    const { code, stderr } = await making.ended;
    expect({ code, stderr }).toEqual({
      ...{ code: 2, stderr: expect.stringMatching(/the service stopped during the backup.*\n$/) },
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('ended'))).toEqual([]);
    service = await startService(environment);
  });

  it('PostgreSQL is referred to its own tools', async () => {
    const remote = postgresEnvironment('postgres://u:p@127.0.0.1:1/x');
    const { code, stderr } = await runCommand(['backup', join(folder, 'pg.zip')], remote);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('pg_dump') });
  });
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

describe('A ledger restored from an older backup', () => {
  restoredSuite(async () => {
    const caller = createCaller(service?.url ?? '', keys.test);
    // A signed receipt starts the logs, so a checkpoint is signed when the service stops.
    const kept = await append(caller, { prefer: 'receipt=signed' });
    const file = join(folder, 'older.zip');
    expect((await run('backup', file)).code).toBe(0);
    let lost: DecisionReceipt = kept;
    for (let more = 0; more < 3; more += 1) lost = await append(caller);
    caller.close();
    await service?.stop();
    service = null;
    const { data, code } = await restore(file, 'older');
    expect(code).toBe(0);
    return { environment: embeddedEnvironment(data), keys, kept, lost };
  });

  it('The restore itself says what is missing, and takes over what was signed', async () => {
    const stopped = join(folder, 'stopped.zip');
    expect((await run('backup', stopped)).code).toBe(0);
    const { stdout } = await run('org', 'list', '--json');
    const [{ ledgers }] = JSON.parse(stdout).organisations;
    const ledger = ledgers.find(({ mode }: { mode: string }) => mode === 'test').ledger_id;
    const expected = [
      '--ledger',
      ledger,
      '--expect-seq',
      '1000000',
      '--expect-hash',
      '0'.repeat(64),
    ];
    const signed = ['--signed', join(dataDir, 'signed')];
    const { data, code, report } = await restore(stopped, 'expected', ...expected, ...signed);
    expect({ code, report }).toMatchObject({
      code: 1,
      report: { is_valid: true, loss: { is_missing: true, expected_seq: 1_000_000 } },
    });
    expect(readdirSync(join(data, 'signed'))).toEqual(readdirSync(join(dataDir, 'signed')));
    const refused = await runCommand(['serve'], embeddedEnvironment(data));
    expect(refused.stderr).toContain('accept the loss with');
  });
});
