import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCaller } from './support/caller.js';
import { embeddedConnection } from './support/embedded.js';
import { eraseMarked, filesHolding, recordMarked, textsOf } from './support/marked.js';
import {
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from './support/service-process.js';
import { withClient } from './support/stored-chain.js';

let dataDir: string;
let environment: Environment;
let service: ServiceProcess;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-purge-'));
  environment = embeddedEnvironment(dataDir);
  service = await startService(environment);
});
afterEach(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

/** Records, has the planner take its samples, and erases. */
async function recordAndErase() {
  const caller = createCaller(service.url, readKeys(dataDir).live);
  const marked = await recordMarked(caller);
  await withClient(await embeddedConnection(dataDir), (owner) => owner.query('analyze'));
  for (const { texts } of marked) expect(filesHolding(dataDir, texts)).not.toEqual([]);
  await eraseMarked(caller, marked);
  caller.close();
  return textsOf(marked);
}

async function purged() {
  const { code, stdout, stderr } = await runCommand(['purge', '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('a purge on the embedded engine', () => {
  it('leaves nothing of what was erased in any file, beside a running service', async () => {
    const texts = await recordAndErase();
    const { tables, log_files } = await purged();
    expect(tables).toContain('public.decisions');
    expect(log_files).toBeGreaterThan(0);
    expect(filesHolding(dataDir, texts)).toEqual([]);
    await service.stop();
    expect(filesHolding(dataDir, texts)).toEqual([]);
    service = await startService(environment);
    const { stdout } = await runCommand(['verify', '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({
      is_valid: true,
      chains: [{ erased_fields: 4 }, {}, {}, {}],
    });
  });

  it('does the same where no service runs', async () => {
    const texts = await recordAndErase();
    await service.stop();
    await purged();
    expect(filesHolding(dataDir, texts)).toEqual([]);
    service = await startService(environment);
  });

  it('has nothing to do where nothing was erased', async () => {
    expect(await purged()).toEqual({ tables: [], log_files: 0 });
    const { stdout } = await runCommand(['purge'], environment);
    expect(stdout).toBe('Nothing was erased: there is nothing to purge.\n');
  });
});
