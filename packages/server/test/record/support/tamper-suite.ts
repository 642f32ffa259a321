import {
  ActivityChainVerification,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import { success } from '@decision-ledger/contract/shared';
import pg from 'pg';
import type { Static } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import { TABLES } from '#server/tables/registry';
import { type Caller, createCaller, liftRateLimits } from '../../support/caller.js';
import { SCHEMA } from '../../support/postgres-names.js';
import { type Environment, runCommand } from '../../support/service-process.js';
import { until } from '../../support/webhooks.js';
import {
  activityColumnCases,
  type Chain,
  type ColumnCases,
  DATED,
  decisionColumnCases,
  type Found,
  genesisCases,
  headCases,
  LAST,
  type Ledgers,
  PLACEHOLDERS,
  rowCases,
  statementsOf,
  type Tampering,
} from './tamper.js';

/** A running service with one organisation, and direct access to its database. */
export interface TamperTarget {
  readonly url: string;
  readonly liveKey: string;
  readonly environment: Environment;
  /**
   * Ends the work in the background where a process of its own does it: followers would take what a case adds to a chain,
   * and leave rows of it behind.
   */
  rest(): Promise<void>;
  /** Connects as the owner of the database. */
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

interface Scene {
  readonly target: TamperTarget;
  readonly caller: Caller;
  readonly owner: pg.Client;
  readonly ledgers: Ledgers;
}

const ID = { decisions: 'decision_id', activity: 'activity_id' } as const;
const KEPT = ['decisions', 'activity', 'chain_heads', 'chains'] as const;
const COLUMNS = {
  decisions: decisionColumnCases(PLACEHOLDERS),
  activity: activityColumnCases(PLACEHOLDERS),
};
type ChainVerification =
  | Static<typeof DecisionChainVerification>
  | Static<typeof ActivityChainVerification>;

/** Day of the month for each decision in order; only the eighth is out of order. */
const DAYS = [1, 2, 3, 4, 5, 6, 7, 3, 9, 10];

/** Defines the tests inside a describe block. */
export function itFindsTampering(open: () => Promise<TamperTarget>): void {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene(await open());
  });
  afterEach(() => restore(scene.owner));
  afterAll(async () => {
    scene.caller.close();
    await scene.owner.end();
    await scene.target.close();
  });

  // First: on the embedded engine, followers go on, and take records that a case adds.
  itTellsOfCommandLine(() => scene);
  describe.for(['decisions', 'activity'] as const)('Chain of %s', (chain) => {
    it('Every stored column that is not a claim has tampering cases', async () => {
      const columns = await storedColumns(scene.owner, chain);
      const fixed = columns.filter((name) => TABLES[chain]?.columns[name]?.basis.by !== 'claim');
      expect(Object.keys(COLUMNS[chain]).sort()).toEqual(fixed);
    });

    it('An untouched chain is valid', async () => {
      expect(await verify(scene, chain)).toMatchObject({
        ...{ is_valid: true, first_broken_link: null },
        records_checked: LAST,
      });
    });

    it.for(allCases(chain, COLUMNS[chain]))(
      'Verification reports exactly the expected finding for $name',
      async (tampering) => {
        await expectFound(scene, chain, tampering);
      },
    );

    it('The database refuses a second record at the same position', async () => {
      const fork = `insert into ${chain} select (jsonb_populate_record(r, jsonb_build_object(
        'prev_hash', '\\x00', '${ID[chain]}',
        '00000000-0000-7000-8000-000000000001'))).* from ${chain} r
        where ledger_id = '${scene.ledgers.ledger}' and seq = 5`;
      await expect(scene.owner.query(fork)).rejects.toThrow(/unique constraint.*_pkey/);
    });
  });

  itWalksRanges(() => scene);
}

function allCases(chain: Chain, columns: ColumnCases): Tampering[] {
  return [
    ...Object.values(columns).flat(),
    ...rowCases(chain, PLACEHOLDERS),
    ...headCases(chain, PLACEHOLDERS),
    ...genesisCases(chain, PLACEHOLDERS),
  ];
}

function itTellsOfCommandLine(scene: () => Scene): void {
  const [edited] = COLUMNS.decisions.entry ?? [];

  it('The command exits with 0 on an untouched ledger', async () => {
    const { code, stdout } = await runCommand(['verify', '--json'], scene().target.environment);
    expect(JSON.parse(stdout), stdout).toMatchObject({ is_valid: true });
    expect(code).toBe(0);
  });

  it('The command exits with 1, names the first broken record and checks the other chains too', async () => {
    if (edited === undefined) throw new Error('there is no such case');
    await scene().owner.query(statementsOf(edited, scene().ledgers));
    // HTTP and the command line report the same finding.
    const { first_broken_link: overHttp } = await verify(scene(), 'decisions');
    expect(overHttp).toMatchObject({
      ...edited.found,
      decision_id: expect.stringMatching(/^dec_/),
    });
    const { environment } = scene().target;
    const [json, text] = await Promise.all([
      runCommand(['verify', '--json'], environment),
      runCommand(['verify'], environment),
    ]);
    expect([json.code, text.code]).toEqual([1, 1]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      is_valid: false,
      chains: [
        { chain: 'decisions', mode: 'live', is_valid: false },
        { chain: 'activity', mode: 'live', is_valid: true },
        { chain: 'decisions', mode: 'test', is_valid: true },
        { chain: 'activity', mode: 'test', is_valid: true },
      ],
    });
    expect(JSON.parse(json.stdout).chains[0].first_broken_link).toEqual(overHttp);
    expect(text.stdout).toMatch(/live decisions: BROKEN at seq 5 \(content\)/);
  });
}

function itWalksRanges(scene: () => Scene): void {
  const range = (from: number, to: number) =>
    verify(scene(), 'decisions', { start_date: day(from), end_date: day(to) });
  const breakRecord = (seq: number) =>
    scene().owner.query(
      `update decisions set entry = entry || ' ' where seq = ${seq}
      and ledger_id = '${scene().ledgers.ledger}'`,
    );

  it('A range is checked by the smallest run that contains it', async () => {
    expect(await range(4, 6)).toMatchObject({ is_valid: true, records_checked: 3 });
    expect(await range(1, 2)).toMatchObject({ is_valid: true, records_checked: 2 });
    expect(await range(9, 28)).toMatchObject({ is_valid: true, records_checked: 2 });
    expect(await range(20, 28)).toMatchObject({ is_valid: true, records_checked: 0 });
  });

  it('A backdated record extends the run to its own position', async () => {
    expect(await range(3, 3)).toMatchObject({ is_valid: true, records_checked: 6 });
    await breakRecord(5);
    expect(await range(3, 3)).toMatchObject({ first_broken_link: { seq: 5, kind: 'content' } });
  });

  it('A broken record is reported only if the run contains it', async () => {
    await breakRecord(5);
    expect(await range(4, 6)).toMatchObject({
      ...{ is_valid: false, records_checked: 1 },
      first_broken_link: { seq: 5, kind: 'content' },
    });
    expect(await range(1, 2)).toMatchObject({ is_valid: true, records_checked: 2 });
    expect(await range(9, 10)).toMatchObject({ is_valid: true, records_checked: 2 });
  });

  it('A run includes the link to the record before it', async () => {
    await breakRecord(3);
    expect(await range(4, 6)).toMatchObject({ first_broken_link: { seq: 4, kind: 'link' } });
  });

  it('A record missing from a run is found', async () => {
    await scene().owner.query('delete from decisions where seq = 5');
    expect(await range(4, 6)).toMatchObject({ first_broken_link: { seq: 5, kind: 'gap' } });
  });
}

async function setScene(target: TamperTarget): Promise<Scene> {
  const caller = createCaller(target.url, target.liveKey);
  const owner = new pg.Client(target.connection);
  await owner.connect();
  await liftRateLimits(caller);
  await recordDecisions(caller);
  await recordActivity(caller, owner);
  await target.rest();
  const { rows } = await owner.query<{ id: string }>(
    'select ledger_id as id from ledgers order by mode',
  );
  const [live, test] = rows;
  if (live === undefined || test === undefined) throw new Error('an organisation has two ledgers');
  await owner.query(
    `create schema kept; ${KEPT.map((name) => `create table kept.${name} as table ${name}`).join(';')}`,
  );
  return { target, caller, owner, ledgers: { ledger: live.id, other: test.id } };
}

async function recordDecisions(caller: Caller): Promise<void> {
  const decisions = DAYS.map(
    (at, index): DecisionBody => ({
      agent_id: 'agent',
      action_type: 'approve',
      inputs: { claim: 'truth', index },
      outputs: { claim: 'truth', index },
      confidence: 0.5,
      timestamp: `${day(at)}T12:00:00.000Z`,
      // The sixth decision has none, so that a case can add them.
      ...(index !== 5 && { alternatives: [{ claim: 'truth', index }] }),
      metadata: { claim: 'truth', index },
    }),
  );
  const { status } = await caller.call('POST', '/api/v1/decisions/batch', { decisions });
  if (status !== 201) throw new Error(`the decisions were not taken: ${status}`);
}

/** Some records exist already, such as the first key and the settings. Most others are keys. */
async function recordActivity(caller: Caller, owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ seq: number }>(
    'select max(seq)::int as seq from activity join ledgers using (ledger_id) where mode = $1',
    ['live'],
  );
  for (let n = (rows[0]?.seq ?? 0) + 1; n <= LAST; n += 1) {
    if (n === DATED) {
      await untilNightIsOver(owner);
      await recordEvent(caller);
      n += 1;
      continue;
    }
    const body = { name: `truth ${n}`, permissions: ['read'] };
    const { status } = await caller.call('POST', '/api/v1/keys', body);
    if (status !== 201) throw new Error(`no key was issued: ${status}`);
  }
}

/** The first nightly run of a ledger would close the month of the event, and record that. */
async function untilNightIsOver(owner: pg.Client): Promise<void> {
  await until('the first nightly run is complete', async () => {
    const { rows } = await owner.query(
      "select from closing_states join ledgers using (ledger_id) where mode = $1 and run_day > '0001-01-01'",
      ['live'],
    );
    return rows.length > 0;
  });
}

/** The first event makes attribution record its first model. */
async function recordEvent(caller: Caller): Promise<void> {
  const event = { source: 'billing', event_type: 'payment', amount: '5.00', currency: 'USD' };
  const sent = { ...event, timestamp: `${day(2)}T12:00:00.000Z` };
  const { status } = await caller.call('POST', '/api/v1/financial-events', sent);
  if (status !== 201) throw new Error(`the event was not taken: ${status}`);
  await until('the first model is recorded', async () => {
    const { body } = await caller.call('GET', '/api/v1/activity?type=attribution.model_changed');
    return JSON.stringify(body).includes('attribution.model_changed');
  });
}

function day(n: number): string {
  return `2026-04-${String(n).padStart(2, '0')}`;
}

async function expectFound(scene: Scene, chain: Chain, tampering: Tampering): Promise<void> {
  const end = await verify(scene, chain);
  await scene.owner.query(statementsOf(tampering, scene.ledgers));
  const { found, anchored } = tampering;
  const plain = await verify(scene, chain);
  expect(plain).toMatchObject({ is_valid: found === null, first_broken_link: found });
  if (found !== null) {
    const id = await idAt(scene.owner, chain, found);
    expect(plain.first_broken_link).toMatchObject({ [ID[chain]]: id });
  }
  const anchor = { expect_seq: String(end.head.seq), expect_hash: end.head.hash };
  const withAnchor = await verify(scene, chain, anchor);
  expect(withAnchor.first_broken_link).toMatchObject(anchored ?? found ?? {});
  await restore(scene.owner);
  expect(await verify(scene, chain)).toMatchObject({ is_valid: true, records_checked: LAST });
}

async function verify(
  { caller }: Scene,
  chain: Chain,
  query: Readonly<Record<string, string>> = {},
): Promise<ChainVerification> {
  const path = `/api/v1/${chain}/chain/verify?${new URLSearchParams(query)}`;
  const { status, body } = await caller.call('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  if (chain === 'activity') return Parse(success(ActivityChainVerification), body).data;
  return Parse(success(DecisionChainVerification), body).data;
}

/** The id of the record in the finding, or null if there is none. */
async function idAt(owner: pg.Client, chain: Chain, { seq, kind }: Found): Promise<string | null> {
  if (kind === 'gap' || kind === 'head') return null;
  const { rows } = await owner.query<{ id: string }>(
    `select ${ID[chain]} as id from ${chain} where seq = $1 and ledger_id = (
      select ledger_id from ledgers where mode = 'live')`,
    [seq],
  );
  const [row] = rows;
  return row === undefined ? null : uuidToId(chain === 'decisions' ? 'dec' : 'act', row.id);
}

async function restore(owner: pg.Client): Promise<void> {
  const statements = KEPT.map(
    (name) => `delete from ${name}; insert into ${name} table kept.${name}`,
  );
  await owner.query(`begin; ${statements.join(';')}; commit`);
}

async function storedColumns(owner: pg.Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns
    where table_schema = '${SCHEMA}' and table_name = $1`,
    [table],
  );
  return rows.map(({ name }) => name).sort();
}
