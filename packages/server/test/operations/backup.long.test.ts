import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { decision } from '../support/client.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import { append } from './support/restored-suite.js';

/** In batches of 100, of 10 KB each. */
const BATCHES = Number(process.env.LONG_TEST_BATCHES ?? 1000);
const NOTE = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-long-backup-'));
const dataDir = join(folder, 'data');
const environment = embeddedEnvironment(dataDir);
let service: ServiceProcess;
let run = 0;

/** Text that does not compress. */
function noise(): string {
  let text = '';
  while (text.length < NOTE) text += Math.random().toString(36).slice(2);
  return text.slice(0, NOTE);
}

beforeAll(async () => {
  service = await startService(environment);
  const live = createCaller(service.url, readKeys(dataDir).live);
  const limits = { rate_limits: { ingest_per_second: 10_000 } };
  await live.call('PATCH', '/api/v1/settings', limits);
  live.close();
  const caller = createCaller(service.url, readKeys(dataDir).test);
  while (run < BATCHES) {
    const decisions = Array.from({ length: 100 }, () => decision({ inputs: { note: noise() } }));
    const { status } = await caller.call('POST', '/api/v1/decisions/batch', { decisions });
    if (status === 201) run += 1;
    else if (status !== 429) throw new Error(`answered with ${status}`);
  }
  caller.close();
}, 3_600_000);
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

it('A large ledger is backed up and restored in little memory while it records', async () => {
  const caller = createCaller(service.url, readKeys(dataDir).test);
  const file = join(folder, 'backup.zip');
  const pauses: number[] = [];
  const started = performance.now();
  let isOver = false;
  const ended = peakOf(startCommand(['backup', file, '--json'], environment)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const sent = performance.now();
    await append(caller);
    pauses.push(performance.now() - sent);
  }
  const made = await ended;
  const backupMs = performance.now() - started;
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
  caller.close();

  const restoring = performance.now();
  const data = join(folder, 'restored');
  const restored = startCommand(['restore', file, '--data', data, '--json'], environment);
  const peak = await peakOf(restored);
  expect({ code: peak.code, stderr: peak.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(peak.stdout)).toMatchObject({ is_valid: true, differences: [] });
  const restoreMs = performance.now() - restoring;
  const { size } = statSync(file);
  const figures = {
    ...{ decisions: run * 100, backupMs, restoreMs, fileMiB: size / 2 ** 20 },
    ...{ appends: pauses.length, longestMs: Math.max(...pauses) },
    ...{ backupPeakMiB: made.mib, restorePeakMiB: peak.mib },
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(pauses.length).toBeGreaterThan(10);
  expect((await runCommand(['verify'], environment)).code).toBe(0);
}, 3_600_000);

async function peakOf(command: ReturnType<typeof startCommand>) {
  let mib = 0;
  const status = `/proc/${command.pid}/status`;
  const timer = setInterval(() => {
    readFile(status, 'utf8').then(
      (text) => {
        mib = Math.max(mib, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
      },
      () => undefined,
    );
  }, 100);
  const ended = await command.ended;
  clearInterval(timer);
  return { ...ended, mib };
}
