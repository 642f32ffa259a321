import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Export } from '@decision-ledger/contract/export';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { success } from '@decision-ledger/contract/shared';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from '../../support/caller.js';
import { event, link } from '../../support/money.js';
import { VERIFIER } from '../../support/paths.js';
import { PROGRAM } from '../../support/program.js';
import {
  createOrganisation,
  type Environment,
  type Keys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';
import { until } from '../../support/webhooks.js';
import { installNext, type NextRelease } from './next-release.js';
import { append } from './restored-suite.js';

/** A migration as a release could bring it: a column more, and a table made from what is there. */
const MIGRATION = `
  alter table decisions add column remark text;
  create table decision_counts (
    ledger_id uuid primary key references ledgers (ledger_id),
    decisions bigint not null
  );
  insert into decision_counts select ledger_id, count(*) from decisions group by ledger_id;
  grant select on decision_counts to ledger_app;
`;
const ONCE = { 'idempotency-key': 'once' };

/** What this release wrote. */
interface Written {
  /** Of the request that is repeated after the upgrade. */
  readonly receipt: DecisionReceipt;
  readonly bundle: string;
  readonly chains: readonly object[];
}

/**
 * A database that this release made is upgraded by the next one.
 * @param folder for files of the test
 */
export function upgradeSuite(environment: () => Environment, folder: string): void {
  let keys: Keys;
  let next: NextRelease;
  let written: Written;
  let service: ServiceProcess | null = null;
  let caller: Caller;
  const run = (program: string, ...args: string[]) => runCommand(args, environment(), program);
  const serve = async (program: string): Promise<void> => {
    service = await startService(environment(), program);
    caller = createCaller(service.url, keys.live);
  };
  const stop = async (): Promise<void> => {
    caller.close();
    await service?.stop();
    service = null;
  };

  beforeAll(async () => {
    next = installNext(join(folder, 'next'));
    keys = await createOrganisation(environment(), 'acme');
    await serve(PROGRAM);
    const receipt = await fill(caller);
    const bundle = await exportTo(caller, join(folder, 'before.zip'));
    await stop();
    written = { receipt, bundle, chains: await chainsOf(run(PROGRAM, 'verify', '--json')) };
  });
  afterAll(stop);

  it('A migration that fails leaves everything as it was', async () => {
    next.ship(`${MIGRATION} insert into decision_counts select ledger_id, 0 from ledgers;`);
    const { code, stderr } = await run(next.program, 'migrate');
    expect(stderr).toContain('decision_counts_pkey');
    expect(code).not.toBe(0);
    expect(await schemaOf(run(PROGRAM, 'migrate', '--json'))).toBe(1);
    expect(await chainsOf(run(PROGRAM, 'verify', '--json'))).toEqual(written.chains);
  });

  it('The schema is migrated, and every chain verifies and ends where it did', async () => {
    next.ship(MIGRATION);
    expect(await chainsOf(run(next.program, 'verify', '--json'))).toEqual(written.chains);
    expect(await schemaOf(run(next.program, 'migrate', '--json'))).toBe(2);
  });

  it('A release that is older than the schema refuses it with the remedy', async () => {
    for (const command of ['migrate', 'verify', 'serve']) {
      const { code, stderr } = await run(PROGRAM, command);
      expect(stderr).toContain(
        'schema version 2, newer than this release supports (1): start the newer release',
      );
      expect(code, command).toBe(2);
    }
  });

  it('Keys of then record further, and a repeated request gets the answer of then', async () => {
    await serve(next.program);
    expect(await append(caller, ONCE)).toEqual(written.receipt);
    const { seq, prev_hash } = await append(caller);
    expect(written.chains).toContainEqual(
      expect.objectContaining({
        ...{ mode: 'live', chain: 'decisions' },
        head: { seq: seq - 1, hash: prev_hash },
      }),
    );
  });

  it('An export of the records of then passes the verifier, as does the bundle of then', async () => {
    const bundle = await exportTo(caller, join(folder, 'after.zip'));
    for (const file of [bundle, written.bundle]) {
      expect(verdictsOf(file)).toMatchObject({ integrity: { verdict: 'pass' } });
    }
  });
}

/** Changes a setting, records decisions, an event and a link, and erases a field. */
async function fill(caller: Caller): Promise<DecisionReceipt> {
  const send = async (method: string, path: string, body: object) => {
    const reply = await caller.call(method, `/api/v1${path}`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body;
  };
  await send('PATCH', '/settings', { rate_limits: { exports_per_hour: 100 } });
  const receipt = await append(caller, ONCE);
  const { decision_id } = await append(caller);
  const { id } = Parse(
    success(FinancialEvent),
    await send('POST', '/financial-events', event()),
  ).data;
  await send('POST', '/links', link(receipt.decision_id, id));
  const erasure = { fields: ['inputs'], reason: 'a test' };
  await send('POST', `/decisions/${decision_id}/erase`, erasure);
  return receipt;
}

/** Exports everything into a file. @returns its path */
async function exportTo(caller: Caller, file: string): Promise<string> {
  const call = async (method: string, path: string, body?: unknown): Promise<Export> => {
    const reply = await caller.call(method, path, body);
    return Parse(success(Export), reply.body).data;
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
  const { download_url = '' } = await read();
  writeFileSync(file, Buffer.from(await (await fetch(download_url)).arrayBuffer()));
  return file;
}

/** The chains that `verify` finds valid, and where they end. */
async function chainsOf(command: ReturnType<typeof runCommand>): Promise<object[]> {
  const { code, stdout, stderr } = await command;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { is_valid, chains } = JSON.parse(stdout);
  expect(is_valid).toBe(true);
  expect(chains).toHaveLength(4);
  return chains.map(({ ledger, mode, chain, head }: Record<string, unknown>) => ({
    ...{ ledger, mode, chain, head },
  }));
}

async function schemaOf(command: ReturnType<typeof runCommand>): Promise<unknown> {
  const { code, stdout, stderr } = await command;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).schema_version;
}

function verdictsOf(bundle: string): unknown {
  const checked = spawnSync(process.execPath, [VERIFIER, bundle, '--json'], { encoding: 'utf8' });
  expect(checked.stderr).toBe('');
  return JSON.parse(checked.stdout).verdicts;
}
