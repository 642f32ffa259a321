import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActivityChainVerification } from '@decision-ledger/contract/chain';
import { type FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { success } from '@decision-ledger/contract/shared';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller } from '../support/caller.js';
import { decision } from '../support/client.js';
import { embeddedConnection } from '../support/embedded.js';
import { verifyOverHttp } from '../support/expect-kept.js';
import { event } from '../support/money.js';
import {
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-import-'));
const dataDir = join(folder, 'data');
const environment: Environment = embeddedEnvironment(dataDir);
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService(environment);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const Report = Type.Object({
  total: Type.Integer(),
  imported: Type.Integer(),
  decisions: Type.Integer(),
  financial_events: Type.Integer(),
  already: Type.Integer(),
});

const importArgs = (file: string, org: string) => [
  'import',
  file,
  '--org',
  org,
  '--mode',
  'live',
  '--json',
];

async function importJson(file: string, org: string) {
  const { code, stdout, stderr } = await runCommand(importArgs(file, org), environment);
  // A machine under load keeps a command waiting, which is no fault.
  const faults = stderr.replace(/^decision-ledger: the database is busy; .*\n/gm, '');
  expect({ code, faults }).toEqual({ code: 0, faults: '' });
  return Parse(Report, JSON.parse(stdout));
}

function write(name: string, lines: readonly unknown[]): string {
  const file = join(folder, name);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join('\n')}\n`);
  return file;
}

/** A new organisation, and a caller of its live ledger. */
async function organisation(name: string): Promise<() => Caller> {
  const { stdout } = await runCommand(['org', 'create', name, '--json'], environment);
  const { live } = Parse(Type.Object({ live: Type.String() }), JSON.parse(stdout));
  return () => createCaller(service.url, live);
}

async function eventsOf(caller: Caller): Promise<FinancialEvent[]> {
  const all: FinancialEvent[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const { body } = await caller.call('GET', `/api/v1/financial-events?limit=500${cursor}`);
    const { data } = Parse(success(FinancialEventPage), body);
    all.push(...data.financial_events);
    next = data.next_cursor;
  }
  return all;
}

async function verifyActivity(caller: Caller) {
  const { body } = await caller.call('GET', '/api/v1/activity/chain/verify');
  return Parse(success(ActivityChainVerification), body).data;
}

const references = (events: readonly FinancialEvent[]) =>
  events.map(({ external_id }) => external_id ?? '').sort();

describe('Import of financial events', () => {
  it('An import records every event once, digit for digit, even equal ones', async () => {
    const caller = await organisation('events');
    const amounts = ['1250.00', '-0.10', '0.000000000001', '12345678901234567890'];
    const lines = amounts.map((amount, n) => {
      const body = event({ amount, external_id: `ref-${n}`, metadata: { n } });
      return n % 2 === 0 ? body : { ref: `line ${n}`, body };
    });
    const file = write('events.ndjson', [...lines, '', JSON.stringify(lines[0])]);
    const counts = { total: 5, decisions: 0 };
    const first = await importJson(file, 'events');
    expect(first).toEqual({ ...counts, imported: 5, financial_events: 5, already: 0 });
    const events = await eventsOf(caller());
    expect(events.map(({ amount }) => amount).sort()).toEqual([...amounts, '1250.00'].sort());
    const again = await importJson(file, 'events');
    expect(again).toEqual({ ...counts, imported: 0, financial_events: 0, already: 5 });
    expect(await eventsOf(caller())).toEqual(events);
    expect(await verifyActivity(caller())).toMatchObject({ is_valid: true });
  });

  it('A mixed file is imported with a count of each kind', async () => {
    const caller = await organisation('mixed');
    const lines = Array.from({ length: 250 }, (_, n) =>
      n % 2 === 0
        ? event({ external_id: `ref-${n}` })
        : decision({ inputs: { n }, metadata: { order: n } }),
    );
    const file = write('mixed.ndjson', lines);
    const first = await importJson(file, 'mixed');
    const figures = { decisions: 125, financial_events: 125 };
    expect(first).toEqual({ total: 250, imported: 250, ...figures, already: 0 });
    expect((await importJson(file, 'mixed')).already).toBe(250);
    // Only the added lines are recorded.
    const longer = write('longer.ndjson', [event({ external_id: 'new' }), ...lines, decision()]);
    const more = { decisions: 1, financial_events: 1, imported: 2, already: 250 };
    expect(await importJson(longer, 'mixed')).toEqual({ total: 252, ...more });
    expect(await eventsOf(caller())).toHaveLength(126);
    const report = await verifyOverHttp(caller());
    expect(report).toMatchObject({ is_valid: true, records_checked: 126 });
    expect(await verifyActivity(caller())).toMatchObject({ is_valid: true });
  });

  it('The output for people counts each kind in words', async () => {
    await organisation('words');
    const file = write('words.ndjson', [event(), decision(), event({ amount: '1' })]);
    const { stdout } = await runCommand(
      ['import', file, '--org', 'words', '--mode', 'live'],
      environment,
    );
    expect(stdout).toContain('1 decisions and 2 financial events imported, 0 were recorded before');
  });

  it('A file with an invalid line is refused as a whole, and each such line is named', async () => {
    const bad: readonly (readonly [line: unknown, problem: string])[] = [
      [event({ amount: '1e3' }), 'amount: must be a decimal'],
      [event({ amount: 1250 }), 'put it in quotes'],
      [event({ currency: 'XAU' }), 'currency: must be an ISO 4217 code'],
      [event({ timestamp: '2026-02-30T00:00:00Z' }), 'timestamp'],
      [event({ colour: 'red' }), 'colour: is not a known field'],
      [{ ...event(), source: undefined }, 'source: is required'],
      ['{"amount":"1.00","event_type":', 'ends too early'],
      [decision({ confidence: 2 }), 'confidence: must be a number from 0 to 1'],
      [decision({ confidence: '0.9' }), 'confidence: must be a number from 0 to 1'],
      [decision({ extra: 1 }), 'extra: is not a known field'],
      ['{"inputs":{"n":9007199254740993}}', 'inputs.n: The number is beyond'],
      [decision({ timestamp: '2999-01-01T00:00:00Z' }), 'timestamp: must not be'],
      [{ colour: 'red' }, 'agent_id: is required'],
    ];
    const caller = await organisation('bad');
    const file = write(
      'bad.ndjson',
      bad.flatMap(([line]) => [event(), decision(), line]),
    );
    const { code, stderr } = await runCommand(importArgs(file, 'bad'), environment);
    expect(code).toBe(2);
    const [said, ...named] = stderr.split(/\n(?=line )/);
    expect(said).toContain('nothing was imported');
    expect(named).toEqual(
      bad.map(([, problem], n) =>
        expect.stringMatching(new RegExp(`^line ${3 * n + 3}: [^]*${problem}`)),
      ),
    );
    expect(await eventsOf(caller())).toEqual([]);
    expect((await verifyOverHttp(caller())).records_checked).toBe(0);
  });
});

describe('Interrupted import of events and decisions', () => {
  /** Four transactions of events and more. */
  const total = 600;
  const lines = Array.from({ length: total }, (_, n) =>
    n % 4 === 3 ? decision({ inputs: { n } }) : event({ external_id: `ref-${n}` }),
  );
  const wanted = lines.flatMap((line) => ('external_id' in line ? [String(line.external_id)] : []));

  /** Acts between the first transaction with events of an organisation and the next one, which waits for this one. */
  async function onceUnderWay(org: string, act: () => unknown): Promise<void> {
    const recorded = `select from financial_events join ledgers using (ledger_id)
      join organisations using (org_id) where organisations.name = $1 limit 1`;
    await withClient(await embeddedConnection(dataDir), async (owner) => {
      // A service that is killed ends it.
      owner.on('error', () => undefined);
      await owner.query('begin');
      while ((await owner.query(recorded, [org])).rowCount === 0) {
        await owner.query('rollback');
        await owner.query('begin');
      }
      await act();
    });
  }

  async function expectResumed(file: string, org: string, caller: () => Caller): Promise<void> {
    const before = (await eventsOf(caller())).length;
    expect(before).toBeLessThan(wanted.length);
    const report = await importJson(file, org);
    expect(report.already).toBeGreaterThanOrEqual(before);
    expect(report.imported + report.already).toBe(total);
    expect(references(await eventsOf(caller()))).toEqual([...wanted].sort());
    const decisions = await verifyOverHttp(caller());
    expect(decisions).toMatchObject({ is_valid: true, records_checked: total / 4 });
    expect(await verifyActivity(caller())).toMatchObject({ is_valid: true });
  }

  it('The same command resumes a killed import without duplicates', async () => {
    const caller = await organisation('killed import');
    const file = write('killed.ndjson', lines);
    const command = startCommand(importArgs(file, 'killed import'), environment);
    await onceUnderWay('killed import', () => command.kill());
    expect((await command.ended).code).toBeNull();
    await expectResumed(file, 'killed import', caller);
  });

  it('The same command resumes an import whose service was killed, without duplicates', async () => {
    const caller = await organisation('killed service');
    const file = write('cut.ndjson', lines);
    const command = runCommand(importArgs(file, 'killed service'), environment);
    await onceUnderWay('killed service', () => service.kill());
    const { code, stderr } = await command;
    expect(code).toBe(2);
    expect(stderr).toContain('run the same import again');
    service = await startService(environment);
    await expectResumed(file, 'killed service', caller);
  });
});

it('The keys of the first start see nothing that other organisations imported', async () => {
  expect(await eventsOf(createCaller(service.url, readKeys(dataDir).live))).toEqual([]);
});
