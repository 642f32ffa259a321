import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import { eraseMarked, filesHolding, recordMarked, textsOf } from '../support/marked.js';
import {
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import { sampleAndEmpty, sampledColumns } from './support/samples.js';

let dataDir: string;
let environment: Environment;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-purge-'));
  environment = embeddedEnvironment(dataDir);
  service = await startService(environment);
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

/** Records, lets the planner take its samples, and erases. */
async function recordAndErase() {
  const caller = createCaller(service.url, readKeys(dataDir).live);
  const marked = await recordMarked(caller);
  await withClient(await embeddedConnection(dataDir), (owner) => owner.query('analyze'));
  for (const { texts } of marked) expect(filesHolding(dataDir, texts)).not.toEqual([]);
  await eraseMarked(caller, marked);
  caller.close();
  return textsOf(marked);
}

/** Callers that write during a purge. */
async function recordMore(): Promise<number[]> {
  const caller = createCaller(service.url, readKeys(dataDir).live);
  const statuses: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const body = { agent_id: 'a', action_type: 'b', inputs: { n }, outputs: {}, confidence: 1 };
    statuses.push((await caller.call('POST', '/api/v1/decisions', body)).status);
  }
  caller.close();
  return statuses;
}

async function purged() {
  const { code, stdout, stderr } = await runCommand(['purge', '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('Purge on the embedded engine', () => {
  it('A purge without erasures does nothing', async () => {
    expect(await purged()).toEqual({ tables: [], log_files: 0 });
    const { stdout } = await runCommand(['purge'], environment);
    expect(stdout).toBe('There is nothing to purge, because nothing was erased.\n');
  });

  it('A purge beside a running service leaves no erased text in any file', async () => {
    const texts = await recordAndErase();
    const [{ tables, log_files }, statuses] = await Promise.all([purged(), recordMore()]);
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(tables).toContain('decisions');
    expect(log_files).toBeGreaterThan(0);
    expect(filesHolding(dataDir, texts)).toEqual([]);
    await service.stop();
    expect(filesHolding(dataDir, texts)).toEqual([]);
    service = await startService(environment);
    const { stdout: text } = await runCommand(['verify', '--mode', 'live'], environment);
    expect(text).toMatch(/live decisions: valid, \d+ records, 4 erased fields, ends at seq/);
    const { stdout } = await runCommand(['verify', '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({
      is_valid: true,
      chains: [{ erased_fields: 4 }, {}, {}, {}],
    });
  });

  it('A purge leaves no sample of a table that has become empty', async () => {
    const owner = await embeddedConnection(dataDir);
    await sampleAndEmpty(owner);
    await purged();
    expect(await sampledColumns(owner)).toEqual([]);
  });

  it('A purge without a running service leaves no erased text in any file', async () => {
    const texts = await recordAndErase();
    await service.stop();
    await purged();
    expect(filesHolding(dataDir, texts)).toEqual([]);
    service = await startService(environment);
  });
});
