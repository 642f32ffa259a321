import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Ledger } from '@decision-ledger/client';
import { EdgeVM } from '@edge-runtime/vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALWAYS } from '../../server/test/support/exports.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../../server/test/support/service-process.js';

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ledger-examples-'));

let service: ServiceProcess;
let ledger: Ledger;
let environment: Readonly<Record<'LEDGER_URL' | 'LEDGER_KEY', string>>;

beforeAll(async () => {
  const data = join(folder, 'data');
  service = await startService(embeddedEnvironment(data));
  environment = { LEDGER_URL: service.url, LEDGER_KEY: readKeys(data).live };
  ledger = new Ledger({ url: service.url, key: environment.LEDGER_KEY });
});

afterAll(async () => {
  await ledger.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs an example in an empty folder, as a user does. */
function run(name: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const env = { PATH, ...environment, ...more };
  return spawnSync(process.execPath, [join(EXAMPLES, name), ...args], {
    ...{ cwd: folder, env, encoding: 'utf8', timeout: 60_000 },
  });
}

/** The decisions of an agent, the oldest first. */
async function recorded(agent_id: string) {
  const decisions = await ledger.decisions.list({ agent_id }).toArray();
  return decisions.sort((a, b) => a.seq - b.seq);
}

it('The agent in three lines records its decision', async () => {
  expect(run('agent.js')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await recorded('refund-bot')).toMatchObject([{ inputs: { order: 'A-1041' } }]);
});

it('The example of the outbox delivers what it recorded before it was killed', async () => {
  expect(run('outbox.js', ['crash'])).toMatchObject({ status: null, signal: 'SIGKILL' });
  expect(await recorded('shipping-bot')).toEqual([]);
  const second = run('outbox.js');
  expect(second).toMatchObject({ status: 0, stdout: '6 decisions were delivered\n', stderr: '' });
  expect(await recorded('shipping-bot')).toHaveLength(6);
});

it('The example of a session numbers its decisions and notes the tool that each one used', async () => {
  const { status, stdout, stderr } = run('session.js');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [, session_id] = /^session (\S+) has 3 decisions\n$/.exec(stdout) ?? [];
  const used = { session_id, tool: 'price_list' };
  expect(await recorded('support-bot')).toMatchObject([
    { outputs: { approved: true }, metadata: { ...used, session_seq: 1 } },
    { outputs: { approved: false }, metadata: { ...used, session_seq: 2 } },
    { inputs: { decisions: 2 }, metadata: { session_id, session_seq: 3 } },
  ]);
});

it('The serverless example answers, and records its decision through `waitUntil` on an edge runtime', async () => {
  const built = await rolldown({
    input: join(EXAMPLES, 'serverless.js'),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await built.generate({ format: 'iife', name: 'Deployed' });
  await built.close();
  const platform = new EdgeVM();
  platform.evaluate(output[0].code);
  const answer: unknown = await platform.evaluate(`(async () => {
    const kept = [];
    const request = new Request('https://shop.example/refunds?total=49.00', { method: 'POST' });
    const env = ${JSON.stringify(environment)};
    const answer = await Deployed.onRequestPost({ request, env, waitUntil: (work) => kept.push(work) });
    await Promise.all(kept);
    return JSON.stringify({ kept: kept.length, answer: await answer.json() });
  })()`);
  expect(JSON.parse(String(answer))).toEqual({ kept: 1, answer: { approved: true } });
  expect(await recorded('edge-bot')).toMatchObject([{ inputs: { total: '49.00' } }]);
});

it('The example of an upload reads the bytes of its decision again, whose short values stand in the record', async () => {
  const { status, stdout, stderr } = run('upload.js');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [, sent, read] = /^(\d+) bytes were recorded, and (\d+) read again\n$/.exec(stdout) ?? [];
  expect(Number(sent)).toBeGreaterThan(262_144);
  expect(read).toBe(sent);
  expect(await recorded('claims-bot')).toMatchObject([
    { outputs: { $upload: { size: Number(sent) }, claim_id: 'C-88' } },
  ]);
});

it('The auditor’s example proves the evidence, and fails for a key of another fingerprint', async () => {
  await ledger.settings.update({ rate_limits: { exports_per_hour: 2 } });
  const audit = (fingerprint: string) =>
    run('audit.js', [ALWAYS.start_date, ALWAYS.end_date], { LEDGER_KEY_FINGERPRINT: fingerprint });
  const strange = audit('0'.repeat(64));
  expect(strange).toMatchObject({ status: 1, stderr: '' });
  expect(strange.stdout).toMatch(/^authenticity: FAIL /m);

  const [key] = await ledger.operations.signingKeys().toArray(1);
  const proven = audit(key?.fingerprint ?? '');
  expect(proven).toMatchObject({ status: 0, stderr: '' });
  expect(proven.stdout.match(/^\w+: (?=PASS)/gm)).toEqual(['integrity: ', 'authenticity: ']);
  expect(statSync(join(folder, 'evidence.zip')).size).toBeGreaterThan(1000);
});

it('Every example has a test here', () => {
  const tested = ['agent.js', 'audit.js', 'outbox.js', 'serverless.js', 'session.js', 'upload.js'];
  expect(readdirSync(EXAMPLES).sort()).toEqual(tested);
});
