import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Export } from '@decision-ledger/contract/export';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from './support/caller.js';
import { decision } from './support/client.js';
import { ALWAYS } from './support/exports.js';
import { VERIFIER } from './support/paths.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from './support/service-process.js';
import { until } from './support/webhooks.js';

const DECISIONS = 5;

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-smoke-'));
const environment = embeddedEnvironment(join(folder, 'data'));
let service: ServiceProcess;
let caller: Caller;

beforeAll(async () => {
  service = await startService(environment);
  caller = createCaller(service.url, readKeys(join(folder, 'data')).live);
});

afterAll(async () => {
  caller.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

it('Decisions of a new service pass its own verification and, exported, that of the verifier', async () => {
  for (let n = 0; n < DECISIONS; n += 1) {
    const { status } = await caller.call('POST', '/api/v1/decisions', decision({ inputs: { n } }));
    expect(status).toBe(201);
  }

  const verified = await runCommand(['verify', '--mode', 'live', '--json'], environment);
  expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(verified.stdout)).toMatchObject({
    is_valid: true,
    chains: [{ records_checked: DECISIONS }, {}],
  });

  const { export_id } = await exported('POST', '/api/v1/exports', {
    export_type: 'forensic',
    ...ALWAYS,
  });
  const read = () => exported('GET', `/api/v1/exports/${export_id}`);
  await until('the export is complete', async () => (await read()).status === 'complete');
  const { download_url = '', decisions } = await read();
  expect(decisions).toBe(DECISIONS);
  const bundle = join(folder, 'bundle.zip');
  writeFileSync(bundle, Buffer.from(await (await fetch(download_url)).arrayBuffer()));

  const checked = spawnSync(process.execPath, [VERIFIER, bundle, '--json'], { encoding: 'utf8' });
  expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 3, stderr: '' });
  expect(JSON.parse(checked.stdout)).toMatchObject({
    verdicts: {
      integrity: { verdict: 'pass' },
      completeness: {
        verdict: 'unproven',
        findings: [{ code: 'edges_unproven' }, { code: 'log_unwitnessed' }],
      },
    },
  });
});

async function exported(method: string, path: string, body?: unknown): Promise<Export> {
  const reply = await caller.call(method, path, body);
  return Parse(Type.Object({ data: Export }), reply.body).data;
}
