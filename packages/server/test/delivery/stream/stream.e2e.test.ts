import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller } from '../../support/caller.js';
import { decision } from '../../support/client.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { connect } from '../../support/stream.js';

const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));
const environment = embeddedEnvironment(dataDir);
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  service = await startService(environment);
  key = readKeys(dataDir).live;
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const address = () => service.url.replace(/^http/, 'ws');

async function record(count: number): Promise<void> {
  const caller = createCaller(service.url, key);
  for (let n = 0; n < count; n += 1) {
    expect((await caller.call('POST', '/api/v1/decisions', decision())).status).toBe(201);
  }
  caller.close();
}

const seqs = (events: readonly { seq: number | null }[]) => events.map(({ seq }) => seq);

it('A stopping service tells callers to reconnect, and they miss nothing', async () => {
  const listener = await connect(address(), { key });
  await record(3);
  await listener.until(({ events }) => events.length === 3);
  await service.stop();
  expect(await listener.ended).toMatchObject({ code: 1001 });
  service = await startService(environment);
  await record(2);
  const after = listener.events[1]?.id ?? '';
  const again = await connect(address(), { key, query: { after } });
  await again.until(({ events }) => events.length === 3);
  expect(seqs(again.events)).toEqual([3, 4, 5]);
  await again.close();
});

it('Callers continue where they were after a kill', async () => {
  const listener = await connect(address(), { key });
  await record(2);
  await listener.until(({ events }) => events.length === 2);
  await service.kill();
  expect(await listener.ended).toMatchObject({ code: 1006 });
  service = await startService(environment);
  await record(1);
  const after = listener.lastId() ?? '';
  const again = await connect(address(), { key, query: { after } });
  await again.until(({ events }) => events.length === 1);
  expect(seqs(again.events)).toEqual([8]);
  await again.close();
});

it('Records written by the command line into a running service are streamed', async () => {
  const listener = await connect(address(), { key });
  const file = join(dataDir, 'decisions.jsonl');
  const { writeFileSync } = await import('node:fs');
  const body = { agent_id: 'imported', action_type: 'b', inputs: {}, outputs: {}, confidence: 1 };
  writeFileSync(file, `${JSON.stringify(body)}\n`);
  const { code, stderr } = await runCommand(['import', '--mode', 'live', file], environment);
  expect(stderr).not.toContain('error:');
  expect(code).toBe(0);
  await listener.until(({ events }) => events.length > 0);
  expect(listener.events[0]).toMatchObject({ data: { agent_id: 'imported' } });
  await listener.close();
});
