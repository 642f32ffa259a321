import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Export, SigningKey, SigningKeyPage } from '@decision-ledger/contract/export';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../proof/test/support/runs.js';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { decision } from '../support/client.js';
import { fillDataFolder } from '../support/engine-template.js';
import { FULL } from '../support/erasures.js';
import { ALWAYS } from '../support/exports.js';
import { ROOT } from '../support/paths.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';

/** The output of the command line: all keys. */
const Shown = Type.Object({ signing_keys: Type.Array(SigningKey) });

const VERIFIER = join(ROOT, 'packages/verifier/bin/decision-ledger-verify.js');
/** Decisions in the bundle of the first tests; in that of the kills, which has to take long, it is more. */
const FEW = 100;
const BATCHES = 20;
const KILLS = runs(5);

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-evidence-'));
const environment = embeddedEnvironment(join(folder, 'data'));
const archive = join(folder, 'bundle.zip');
/** The bundle of a few decisions: the tools start several processes for each. */
const small = join(folder, 'small.zip');
/** Limit for an export of 20 s on a busy machine. */
const BUSY_MACHINE_MS = 180_000;

let service: ServiceProcess;
let caller: Caller;

const exportOf = async (id: string): Promise<Export> => {
  const { body } = await caller.call('GET', `/api/v1/exports/${id}`);
  return Parse(Type.Object({ data: Export }), body).data;
};

async function start(): Promise<void> {
  service = await startService(environment);
  caller = createCaller(service.url, readKeys(join(folder, 'data')).live);
}

beforeAll(async () => {
  await fillDataFolder(join(folder, 'data'));
  await start();
  await liftRateLimits(caller);
  const rate_limits = { exports_per_hour: 1000 };
  await caller.call('PATCH', '/api/v1/settings', { rate_limits });
  await recordFew();
  const id = await ask();
  await complete(id);
  await keep(id, FEW, small);
});

afterAll(async () => {
  caller.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('Exports of the built service', () => {
  it('A bundle is verified with common system tools, as documented', async () => {
    for (const tool of ['unzip', 'openssl', 'sha256sum']) {
      // A missing tool must fail the test rather than skip the check.
      expect(spawnSync('which', [tool]).status, `${tool} is not installed`).toBe(0);
    }
    const [unpacking = '', summing = '', walking = ''] = shellBlocks(
      'docs/verifier.md',
      '## By hand',
    );
    const unpacked = mkdtempSync(join(folder, 'unpacked-'));
    writeFileSync(join(unpacked, 'bundle.zip'), readFileSync(small));
    const sh = (script: string) =>
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
        cwd: unpacked,
        encoding: 'utf8',
      });
    const manifest = () => JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    const said = sh(unpacking);
    expect(said).toContain('Verified OK');
    const { stdout } = await runCommand(['signing-key', 'show', '--json'], environment);
    const [key] = Parse(Shown, JSON.parse(stdout)).signing_keys;
    expect(said).toContain(key?.fingerprint);
    const sums = sh(summing).trim().split('\n');
    expect(sums.filter((line) => line.endsWith(': OK'))).toHaveLength(manifest().files.length);
    expect(sums.filter((line) => line.includes('FAILED'))).toEqual([]);
    expect(sh(walking).trim()).toBe(`last ${manifest().decisions.last.hash}`);
    // The same commands find the change.
    writeFileSync(join(unpacked, 'decisions.json'), '[\n]\n');
    const changed = summing
      .split('\n')
      .filter((line) => !line.startsWith('unzip'))
      .join('\n');
    expect(() => sh(changed)).toThrow(/decisions\.json: FAILED|status 1|Command failed/);
  });

  it('The command line and the API publish the same signing key, also after a rotation', async () => {
    const before = await fingerprints();
    const { code, stdout } = await runCommand(['signing-key', 'rotate', '--json'], environment);
    expect(code).toBe(0);
    const { fingerprint } = JSON.parse(stdout);
    expect(await fingerprints()).toEqual([fingerprint, ...before]);
    const printed = await runCommand(['signing-key', 'show'], environment);
    expect(printed.stdout.split('\n').map((line) => line.slice(0, 64))).toEqual(
      expect.arrayContaining([fingerprint, ...before]),
    );
    expect(verdictsOf(small, '--key-fingerprint', fingerprint)).toMatchObject({
      authenticity: 'fail',
    });
    expect(verdictsOf(small, '--key-fingerprint', before[0] ?? '')).toMatchObject({
      authenticity: 'pass',
    });
  });

  it(
    'A killed export continues where it stopped and completes, wherever it was killed',
    async () => {
      for (let n = 1; n < BATCHES; n += 1) await recordFew();
      const seen: number[] = [];
      for (let round = 0; round < KILLS; round += 1) {
        const id = await ask();
        await until('the export is under way', async () => (await exportOf(id)).progress > 0);
        await service.kill();
        caller.close();
        await start();
        seen.push((await exportOf(id)).progress);
        await complete(id);
        await keep(id, BATCHES * FEW, archive);
        expect(verdictsOf(archive)).toMatchObject(SOUND);
        // The folder is removed after the commit that says complete.
        const work = join(folder, 'data/exports');
        await until('nothing of it is left', async () => readdirSync(work).length === 0);
      }
      console.info(`kills at ${seen.join(', ')}`);
    },
    4 * BUSY_MACHINE_MS,
  );
});

async function ask(): Promise<string> {
  const body = { export_type: 'forensic', ...ALWAYS };
  const answer = await caller.call('POST', '/api/v1/exports', body);
  return Parse(Type.Object({ data: Export }), answer.body).data.export_id;
}

async function recordFew(): Promise<void> {
  const decisions = Array.from({ length: FEW }, (_, n) => decision({ ...FULL, inputs: { n } }));
  const { status } = await caller.call('POST', '/api/v1/decisions/batch', { decisions });
  expect(status).toBe(201);
}

async function complete(id: string): Promise<void> {
  const isComplete = async () => (await exportOf(id)).status === 'complete';
  await until('the export is complete', isComplete, BUSY_MACHINE_MS);
}

async function keep(id: string, count: number, path: string): Promise<void> {
  const { download_url = '', decisions } = await exportOf(id);
  expect(decisions).toBe(count);
  const file = await fetch(download_url);
  writeFileSync(path, Buffer.from(await file.arrayBuffer()));
}

/** Without any fault; what the bundle alone does not prove is named. */
const SOUND = { integrity: 'pass', completeness: 'edges_unproven', time: 'time_unattested' };

/** The verdicts of the verifier's own process; for an unproven one, its first finding. */
function verdictsOf(path: string, ...options: string[]): Record<string, string> {
  const { stdout, stderr } = spawnSync(process.execPath, [VERIFIER, path, '--json', ...options], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stdout === '') throw new Error(stderr);
  const { verdicts } = JSON.parse(stdout);
  return Object.fromEntries(
    Object.entries(Object(verdicts)).map(([name, one]) => {
      const { verdict, findings } = Object(one);
      return [name, verdict === 'unproven' ? findings[0].code : verdict];
    }),
  );
}

async function fingerprints(): Promise<string[]> {
  const { body } = await caller.call('GET', '/api/v1/signing-keys');
  const { signing_keys } = Parse(Type.Object({ data: SigningKeyPage }), body).data;
  return signing_keys.map(({ fingerprint }) => fingerprint);
}

/** The commands of a section, as a reader copies them. */
function shellBlocks(page: string, heading: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`) + 1);
  const end = section.indexOf('\n## ', 1);
  const blocks = section.slice(0, end === -1 ? undefined : end).matchAll(/```sh\n([\s\S]*?)```/g);
  return [...blocks].map(([, commands = '']) => commands);
}
