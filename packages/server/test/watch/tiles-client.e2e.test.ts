import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '@decision-ledger/client';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decision } from '../support/client.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';

const SOURCE = join(import.meta.dirname, 'tiles-client');
const HAS_GO = spawnSync('go', ['version']).status === 0;
if (!HAS_GO)
  console.warn('\nSKIPPED: a log read by a client of another project: there is no go.\n');

/** Two whole tiles of 256 hashes, and a part of one. */
const DECISIONS = 600;
const PROVEN = [0, 255, 256, DECISIONS - 1];

const Log = Type.Object({
  data: Type.Object({ origin: Type.String(), verifier_key: Type.String() }),
});
const Proof = Type.Object({ data: Type.Object({ tlog_proof: Type.String() }) });
const Found = Type.Object({
  size: Type.Number(),
  hashes: Type.Array(Type.String()),
  entries: Type.Array(Type.String()),
});

describe.skipIf(!HAS_GO)('A log that the client of another project reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-tiles-'));
  const program = join(folder, 'tiles-client');
  let service: ServiceProcess;
  let job: { readonly leaves: readonly string[] } & Record<string, unknown>;

  beforeAll(async () => {
    cpSync(SOURCE, join(folder, 'source'), { recursive: true });
    // Go asks its proxy for the modules, whose hashes are in go.sum.
    execFileSync('go', ['build', '-o', program, '.'], { cwd: join(folder, 'source') });
    const environment = embeddedEnvironment(join(folder, 'data'));
    service = await startService(environment);
    const { live: key } = readKeys(join(folder, 'data'));
    const ledger = new Ledger({ url: service.url, key });
    await ledger.settings.update({ transparency: { public: 'tree' } });
    // The first signature starts the log.
    await ledger.recordNow(decision(), { signedReceipt: true });
    for (let n = 1; n < DECISIONS; n += 1) ledger.record({ ...decision(), inputs: { n } });
    await ledger.close();
    // A service that stops signs what was recorded.
    await service.stop();
    service = await startService(environment);
    job = await jobOf(service.url, key);
  });

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (given: object) =>
    spawnSync(program, { input: JSON.stringify(given), encoding: 'utf8', timeout: 60_000 });

  it('It finds every hash and every entry in the signed tree, and accepts proofs', () => {
    const { status, stdout, stderr } = run(job);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { size, hashes, entries } = Parse(Found, JSON.parse(stdout));
    expect(size).toBe(DECISIONS);
    expect(hashes).toEqual(job.leaves);
    expect(entries.map((entry) => JSON.parse(entry).seq)).toEqual(hashes.map((_, n) => n + 1));
  });

  it('It refuses a proof of another entry, and the key of another log', () => {
    const [first = '', ...others] = job.leaves;
    const swapped = run({ ...job, leaves: [...others, first] });
    expect(swapped.status).toBe(1);
    expect(swapped.stderr).toContain('proof of 0');
    expect(run({ ...job, origin: 'example.com/other' })).toMatchObject({ status: 1, stdout: '' });
  });
});

async function jobOf(url: string, key: string) {
  const ledger = new Ledger({ url, key });
  const get = async (path: string) => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { 'x-ledger-key': key } });
    const text = await answer.text();
    expect(answer.status, `${path}: ${text}`).toBe(200);
    return text;
  };
  const decisions = (await ledger.decisions.list({ limit: 200 }).toArray()).toReversed();
  const { origin, verifier_key } = Parse(Log, JSON.parse(await get('/log/decisions'))).data;
  const proofs = [];
  for (const index of PROVEN) {
    const answer = await get(`/decisions/${decisions[index]?.decision_id}/proof`);
    proofs.push({ index, text: Parse(Proof, JSON.parse(answer)).data.tlog_proof });
  }
  const [, id = ''] = origin.split('/');
  await ledger.close();
  return {
    ...{ key, origin, vkey: verifier_key, proofs },
    public: `${url}/api/v1/logs/${id}/decisions`,
    private: `${url}/api/v1/log/decisions`,
    leaves: decisions.map(({ hash }) => Buffer.from(hash, 'hex').toString('base64')),
  };
}
