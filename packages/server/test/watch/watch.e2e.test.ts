import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { verify } from '../../../proof/test/support/ed25519.js';
import { history, LOG_KEYS, LogServer } from '../../../watch/test/support/log-server.js';
import { createCaller } from '../support/caller.js';
import { decision } from '../support/client.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  startCommand,
  startService,
} from '../support/service-process.js';

let log: LogServer;
let folder: string;

beforeEach(async () => {
  log = await LogServer.start();
  folder = mkdtempSync(join(tmpdir(), 'decision-ledger-watch-'));
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

const argsOf = (...more: string[]) => [
  ...['watch', log.url, '--folder', folder, '--timeout', '5'],
  ...[...LOG_KEYS.flatMap((key) => ['--log-key', key]), ...more],
];
const once = (...more: string[]) => runCommand(argsOf('--once', ...more), {});
const notesIn = (place: string) => {
  try {
    // A draft that a kill left is no note yet, and nobody reads it.
    return readdirSync(place).filter((name) => /^\d+\.note$/.test(name));
  } catch {
    return [];
  }
};

/** An archive with checkpoints, stored as in a bundle. */
async function writeBundle(path: string, decisions: string, activity?: string): Promise<void> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from('{}\n'), 'manifest.json', { compress: false });
  archive.addBuffer(Buffer.from(decisions), 'decisions.checkpoint', { compress: false });
  if (activity !== undefined) {
    archive.addBuffer(Buffer.from(activity), 'activity.checkpoint', { compress: false });
  }
  archive.end();
  writeFileSync(path, await buffer(archive.outputStream));
}

/** Every file in the folder is whole: each note opens with the key of its log. */
async function expectWhole(): Promise<void> {
  const [key = ''] = LOG_KEYS;
  for (const place of ['decisions', 'decisions/unproven']) {
    for (const name of notesIn(join(folder, place))) {
      const note = readFileSync(join(folder, place, name), 'utf8');
      const { size } = await openCheckpoint(note, parseVerifierKey(key), verify);
      expect(size).toBe(Number.parseInt(name, 10));
    }
  }
}

it('A watcher that is killed with SIGKILL at any request goes on, and its state is never half-written', async () => {
  let size = 4;
  let killed = 0;
  for (let at = 1; at <= 8; at += 1) {
    size += 40;
    log.leaves.decisions = history('decision', size);
    let requests = 0;
    const watcher = startCommand(argsOf('--once'), {});
    log.fault = () => {
      requests += 1;
      // Some kills hit the request, others what is written after its answer.
      if (requests === Math.ceil(at / 2)) setTimeout(watcher.kill, at % 2 === 0 ? 0 : 4);
      return false;
    };
    if ((await watcher.ended).code === null) killed += 1;
    log.fault = () => false;
    await expectWhole();
  }
  expect(killed).toBeGreaterThan(4);
  const { code, stdout } = await once('--json');
  expect(code).toBe(0);
  expect(stdout).toContain(`"size":${size}`);
  await expectWhole();
  expect(notesIn(join(folder, 'decisions')).at(-1)).toBe(`${String(size).padStart(16, '0')}.note`);
});

it('A fork ends the watcher with exit code 4, and reaches the webhook', async () => {
  const taken: unknown[] = [];
  const hook = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      taken.push(JSON.parse(text));
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = hook.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const webhook = ['--webhook', `http://127.0.0.1:${address.port}/`];
  const watcher = startCommand(argsOf('--interval', '1', '--json', ...webhook), {});
  for (let tries = 0; notesIn(join(folder, 'activity')).length === 0 && tries < 200; tries += 1) {
    await pause(50);
  }
  const first = log.note('decisions');
  log.leaves.decisions = history('other', 9);
  const { code, stdout } = await watcher.ended;
  hook.close();
  hook.closeAllConnections();
  expect(code).toBe(4);
  expect(stdout).toContain('"alarm":"fork"');
  expect(taken).toMatchObject([{ type: 'log.alarm', state: 'raised', kind: 'fork' }]);
  const fork = JSON.parse(readFileSync(join(folder, 'fork.json'), 'utf8'));
  expect(fork.notes).toEqual([first, log.note('decisions')]);
  expect(await once()).toMatchObject({ code: 4 });
});

it('A watcher that is asked to stop ends with 0, and a look with an alarm with 3', async () => {
  const watcher = startCommand(argsOf(), {});
  for (let tries = 0; notesIn(join(folder, 'activity')).length === 0 && tries < 200; tries += 1) {
    await pause(50);
  }
  watcher.stop();
  expect((await watcher.ended).code).toBe(0);
  log.fault = (_, answer) => Boolean(answer.end('garbage'));
  const { code, stdout } = await once();
  expect(code).toBe(3);
  expect(stdout).toContain('ALARM: invalid:');
});

it('A real service is followed with a key, and its signed receipt agrees with what was kept', async () => {
  const dataDir = join(folder, 'data');
  const environment = embeddedEnvironment(dataDir);
  let service = await startService(environment);
  const { live } = readKeys(dataDir);
  const caller = createCaller(service.url, live);
  const prefer = { prefer: 'receipt=signed' };
  const { body } = await caller.call('POST', '/api/v1/decisions', decision(), prefer);
  const { signed_receipt = '' } = Parse(Type.Object({ data: DecisionReceipt }), body).data;
  caller.close();
  // A service that stops signs what was recorded.
  await service.stop();
  service = await startService(environment);
  const kept = ['--folder', join(folder, 'kept')];
  const withKey = { LEDGER_KEY: live };
  const looked = await runCommand(['watch', service.url, ...kept, '--once'], withKey);
  expect(looked).toMatchObject({ code: 0, stderr: '' });
  expect(notesIn(join(folder, 'kept', 'decisions'))).toEqual(['0000000000000001.note']);
  const file = join(folder, 'receipt.note');
  writeFileSync(file, signed_receipt);
  const check = ['watch', 'check', file, ...kept, '--url', service.url];
  const checked = await runCommand(check, withKey);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toContain('receipt: agrees: record 1 is in the tree of 1 records');
  await service.stop();
});

it('The command watch check compares files with what was kept', async () => {
  await once();
  const file = join(folder, 'one.note');
  const check = (...more: string[]) =>
    runCommand(['watch', 'check', file, '--folder', folder, ...more], {});
  writeFileSync(file, log.note('decisions'));
  expect(await check()).toMatchObject({ code: 0 });
  const bundle = join(folder, 'bundle.zip');
  const checkBundle = (...more: string[]) =>
    runCommand(['watch', 'check', bundle, '--folder', folder, ...more], {});
  const notes = [log.note('decisions'), log.note('activity')] as const;
  await writeBundle(bundle, ...notes);
  const agreed = await checkBundle();
  expect(agreed).toMatchObject({ code: 0, stderr: '' });
  expect(agreed.stdout.match(/checkpoint: agrees/g)).toHaveLength(2);
  await writeBundle(bundle, notes[0].replace('\n5\n', '\n4\n'), notes[1]);
  expect(await checkBundle()).toMatchObject({ code: 1 });
  await writeBundle(bundle, notes[0]);
  expect(await checkBundle()).toMatchObject({ code: 2 });
  writeFileSync(bundle, 'no archive');
  expect(await checkBundle()).toMatchObject({ code: 2 });
  rmSync(bundle);
  expect(await checkBundle()).toMatchObject({ code: 2 });
  writeFileSync(file, log.receipt(2, history('decision', 2)[1] ?? Buffer.alloc(32)));
  expect(await check('--url', log.url)).toMatchObject({ code: 0 });
  expect(await check()).toMatchObject({ code: 3 });
  writeFileSync(file, log.note('decisions').replace('\n5\n', '\n4\n'));
  expect(await check()).toMatchObject({ code: 1 });
  writeFileSync(file, 'no note');
  expect(await check()).toMatchObject({ code: 2 });
  writeFileSync(file, log.receipt(2, Buffer.alloc(32, 7)));
  const { code, stdout } = await check('--url', log.url, '--json');
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ result: 'fork' });
  expect(await once()).toMatchObject({ code: 4 });
});
