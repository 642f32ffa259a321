import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../../proof/test/support/runs.js';
import { type Caller, createCaller } from '../support/caller.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  startCommand,
  startService,
} from '../support/service-process.js';
import { append } from './support/restored-suite.js';

const root = mkdtempSync(join(tmpdir(), 'decision-ledger-birth-'));
const born = join(root, 'born');
const older = join(root, 'older');
const backup = join(root, 'older.zip');
let count = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (dataDir: string, ...args: string[]) => runCommand(args, embeddedEnvironment(dataDir));

/** Records decisions in the test ledger, and stops the service, which signs a checkpoint of them. */
async function record(
  dataDir: string,
  decisions: number,
  look: (caller: Caller) => Promise<void> = async () => undefined,
): Promise<void> {
  const service = await startService(embeddedEnvironment(dataDir));
  const caller = createCaller(service.url, readKeys(dataDir).test);
  for (let n = 0; n < decisions; n += 1) await append(caller, { prefer: 'receipt=signed' });
  await look(caller);
  caller.close();
  await service.stop();
}

beforeAll(async () => {
  await record(born, 2);
  expect((await run(born, 'backup', backup)).code).toBe(0);
  cpSync(born, older, { recursive: true });
  await record(born, 3);
});

/** A copy of the folder at rest, changed. */
function changed(change: (dataDir: string) => void): string {
  count += 1;
  const dataDir = join(root, `changed-${count}`);
  cpSync(born, dataDir, { recursive: true });
  change(dataDir);
  return dataDir;
}

/** The message of a start that is refused with code 2, without a stack. */
async function refused(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'serve');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^decision-ledger: [^\n]*\n$/);
  return stderr;
}

describe('The command on a data folder', () => {
  it('Without its database, the service and every command refuse, and change nothing', async () => {
    const dataDir = changed((folder) => rmSync(join(folder, 'pg'), { recursive: true }));
    const keys = readFileSync(join(dataDir, 'keys.json'), 'utf8');
    expect(await refused(dataDir)).toMatch(
      /the database of .* is missing: .*its certificate names the ledger led_/,
    );
    for (const args of [['org', 'create', 'new'], ['org', 'list'], ['verify'], ['migrate']]) {
      const { code, stderr } = await run(dataDir, ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is missing') });
    }
    expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toBe(keys);
    expect(existsSync(join(dataDir, 'pg'))).toBe(false);
  });

  it('A loss that this machine signed is accepted once, and the logs go on when the fork is', async () => {
    const dataDir = changed((folder) => {
      rmSync(join(folder, 'pg'), { recursive: true });
      cpSync(join(older, 'pg'), join(folder, 'pg'), { recursive: true });
    });
    const text = await refused(dataDir);
    expect(text).toMatch(
      /led_\w+: the chain of \w+ has \d+ records, and this machine signed a checkpoint of \d+/,
    );
    expect((await run(dataDir, 'verify')).code).toBe(0);
    const shown = await run(dataDir, 'restored', '--json');
    expect(shown.code).toBe(1);
    const { ledger, checkpoints } = JSON.parse(shown.stdout);
    expect(checkpoints).toMatchObject([
      { origin: expect.stringContaining('activity') },
      { size: 2, signed_size: 5 },
    ]);
    const accept = ['restored', '--ledger', ledger, '--accept-loss', 'the disk failed'];
    expect((await run(dataDir, ...accept)).code).toBe(0);
    expect(noteOf(dataDir, 'decisions')).toEqual([]);
    await record(dataDir, 1);
    expect(noteOf(dataDir, 'decisions')).toEqual([]);
    expect((await run(dataDir, ...accept, '--accept-fork')).code).toBe(0);
    let accepted: unknown[] = [];
    await record(dataDir, 1, async (caller) => {
      accepted = await acceptances(caller);
    });
    expect(noteOf(dataDir, 'decisions')).toEqual([4]);
    expect(accepted).toMatchObject([
      { from_seq: 2, accepts_fork: true },
      {
        from_seq: 2,
        accepts_fork: false,
        checkpoints: [{ size: expect.any(Number) }, { size: 5 }],
      },
    ]);
  });

  it('A damaged certificate is issued again by a command, and only for a database that has all that was signed', async () => {
    const cut = (folder: string) => {
      const text = readFileSync(join(folder, 'installation.json'), 'utf8');
      writeFileSync(join(folder, 'installation.json'), text.slice(0, -20));
    };
    const dataDir = changed(cut);
    expect(await refused(dataDir)).toContain('is damaged');
    const { code, stdout } = await run(dataDir, 'certify', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ folder: dataDir, ledgers: 2, damaged: join(dataDir, 'installation.json.damaged') },
    });
    await record(dataDir, 1);
    const lost = changed((folder) => {
      cut(folder);
      rmSync(join(folder, 'pg'), { recursive: true });
      cpSync(join(older, 'pg'), join(folder, 'pg'), { recursive: true });
    });
    const again = await run(lost, 'certify');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('this machine signed a checkpoint of');
    expect(existsSync(join(lost, 'installation.json.damaged'))).toBe(false);
  });

  it('An unreadable certificate is refused', async () => {
    const dataDir = changed((folder) => {
      rmSync(join(folder, 'installation.json'));
      mkdirSync(join(folder, 'installation.json'));
    });
    expect(await refused(dataDir)).toContain('installation.json cannot be read (EISDIR)');
    expect((await run(dataDir, 'certify')).code).toBe(2);
  });

  it('A restore says what the folder "signed" remembers beyond the backup', async () => {
    const data = join(root, 'restored');
    const signed = ['--signed', join(born, 'signed')];
    const { code, stdout } = await run(root, 'restore', backup, '--data', data, ...signed);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /the chain of decisions has 2 records, and this machine signed a checkpoint of 5/,
    );
    expect(await refused(data)).toContain('accept the loss with');
  });
});

describe('A first start that is killed', () => {
  const moments: Readonly<Record<string, (dataDir: string) => boolean>> = {
    'the master key is there': (dataDir) => existsSync(join(dataDir, 'master.key')),
    'the certificate is there': (dataDir) => existsSync(join(dataDir, 'installation.json')),
    'the keys are there': (dataDir) => existsSync(join(dataDir, 'keys.json')),
  };
  // `installation.int` has every state in which a kill leaves the folder.
  for (const [moment, isReached] of sample(Object.entries(moments))) {
    it(`The next one succeeds when ${moment}`, async () => {
      count += 1;
      const dataDir = join(root, `killed-${count}`);
      const first = startCommand(['serve'], { ...embeddedEnvironment(dataDir), LEDGER_PORT: '0' });
      // A loop without a rest would take a core from the start.
      while (!isReached(dataDir)) await sleep(1);
      first.kill();
      await first.ended;
      await record(dataDir, 1);
      const { ledgers } = JSON.parse(readFileSync(join(dataDir, 'installation.json'), 'utf8'));
      expect(ledgers).toHaveLength(2);
    });
  }
});

/** The sizes of the checkpoints of a chain that the folder remembers. */
function noteOf(dataDir: string, chain: string): number[] {
  const folder = join(dataDir, 'signed');
  const names = readdirSync(folder).filter((name) => name.endsWith(`-${chain}-1.note`));
  return names.map((name) => Number(readFileSync(join(folder, name), 'utf8').split('\n')[1]));
}

async function acceptances(caller: Caller): Promise<unknown[]> {
  const { body } = await caller.call('GET', '/api/v1/activity?type=ledger.restored');
  const { activity } = Parse(Type.Object({ data: ActivityPage }), body).data;
  return activity.map(({ data }) => data);
}
