import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Export } from '@decision-ledger/contract/export';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from '../../support/caller.js';
import { decision } from '../../support/client.js';
import { VERIFIER } from '../../support/paths.js';
import {
  type Environment,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { until } from '../../support/webhooks.js';
import { type Fixture, FORMER_BUNDLE, recordedOf } from './archived.js';

export interface Old {
  readonly fixture: Fixture;
  readonly engine: 'embedded' | 'postgres';
  readonly environment: Environment;
  /** For files of the test. */
  readonly folder: string;
  /** Puts what the earlier release wrote in its place. */
  readonly place: () => void;
}

/** Opens what an earlier release wrote with this one. */
export function upgradeSuite({ fixture, engine, environment, folder, place }: Old): void {
  const { keys, verified } = recordedOf(fixture, engine);
  const test = verified.chains.find(({ mode, chain, head }) => {
    return mode === 'test' && chain === 'decisions' && head.seq > 0;
  });
  let service: ServiceProcess | null = null;
  let caller: Caller;
  beforeAll(place);
  afterAll(async () => {
    caller.close();
    await service?.stop();
  });

  it('The schema is migrated, and every chain verifies and ends where the earlier release said', async () => {
    const { code, stdout, stderr } = await runCommand(['verify', '--json'], environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const now = JSON.parse(stdout);
    expect(now).toMatchObject({ is_valid: true });
    const essence = ({ ledger, mode, chain, head }: (typeof verified.chains)[number]) => ({
      ...{ ledger, mode, chain, head },
    });
    expect(now.chains.map(essence)).toEqual(verified.chains.map(essence));
  });

  it('Keys of then record further decisions at the end of the chain', async () => {
    service = await startService(environment);
    caller = createCaller(service.url, keys.test);
    const reply = await caller.call('POST', '/api/v1/decisions', decision());
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    const { data } = Parse(Type.Object({ data: DecisionReceipt }), reply.body);
    expect(test?.head).toEqual({ seq: data.seq - 1, hash: data.prev_hash });
  });

  it('An export of the decisions of then passes the verifier', async () => {
    const exported = await exportAll(caller);
    expect(exported.decisions).toBe((test?.head.seq ?? 0) + 1);
    const bundle = join(folder, `${fixture}-${engine}.zip`);
    const { download_url = '' } = exported;
    writeFileSync(bundle, Buffer.from(await (await fetch(download_url)).arrayBuffer()));
    expect(verdictsOf(bundle)).toMatchObject({ integrity: { verdict: 'pass' } });
  });
}

async function exportAll(caller: Caller): Promise<Export> {
  const call = async (method: string, path: string, body?: unknown): Promise<Export> => {
    const reply = await caller.call(method, path, body);
    return Parse(Type.Object({ data: Export }), reply.body).data;
  };
  const { export_id } = await call('POST', '/api/v1/exports', {
    ...{ export_type: 'forensic', start_date: '2000-01-01', end_date: '2100-01-01' },
  });
  const read = () => call('GET', `/api/v1/exports/${export_id}`);
  await until('the export ends', async () => {
    const { status, reason } = await read();
    if (status === 'failed') throw new Error(reason ?? 'the export failed');
    return status === 'complete';
  });
  return read();
}

function verdictsOf(bundle: string): unknown {
  const checked = spawnSync(process.execPath, [VERIFIER, bundle, '--json'], { encoding: 'utf8' });
  expect(checked.stderr).toBe('');
  return JSON.parse(checked.stdout).verdicts;
}

/** The verdicts on the bundle that an earlier release exported. */
export function formerVerdicts(): unknown {
  return verdictsOf(FORMER_BUNDLE);
}
