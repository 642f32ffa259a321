import type { Reconciliation } from '@decision-ledger/contract/chain';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { ownerLogin } from '#server/platform/connection';
import { ROW_TABLES } from '#server/tables/recorded-tables';
import { describeEngine } from '../../support/engine.js';
import { openTestService, type TestService } from '../../support/service.js';
import { type FullLedger, fullLedger } from './support/full-ledger.js';
import { CHANGES, OTHER_CHANGES, SUM_CHANGES } from './support/tampering.js';

const PUBLISHED = ['settings', 'signing_keys', 'month_restatements', 'attribution_models'];
const SUMS = ['link_allocations', 'exposure_cells', 'liability_estimates'];
const DERIVED = ['experiment_assignments', 'liability_history', 'link_reviews', 'running_costs'];
const KEPT = [...Object.keys(ROW_TABLES), ...PUBLISHED, ...SUMS, ...DERIVED];

/** The key column of each table, and how to make another one. */
const KEYS: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.values(ROW_TABLES).map(({ table, key }) => [table, key]),
  ['link_allocations', 'link_id'],
  ['link_reviews', 'link_id'],
]);

const UNCHECKED = 'set local session_replication_role = replica';

describeEngine((engine) => {
  let bed: TestService;
  let ledger: FullLedger;
  let owner: pg.Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    ledger = await fullLedger(bed);
    owner = new pg.Client(ownerLogin(bed.service.storage.address).client);
    await owner.connect();
    const copies = KEPT.map((name) => `create table kept.${name} as table ${name}`);
    await owner.query(`create schema kept; ${copies.join(';')}`);
    // Who owns the tables can also remove what restricts their values.
    await owner.query(
      `alter table links drop constraint links_check; drop index links_once;
       alter table exports drop constraint exports_agent_of_statement; drop index signing_keys_current`,
    );
  });
  afterEach(async () => {
    const back = KEPT.map((name) => `delete from ${name}; insert into ${name} table kept.${name}`);
    await changeAll(`${UNCHECKED}; ${back.join(';')}`);
  });
  afterAll(async () => {
    await owner.query('drop schema kept cascade');
    await owner.end();
    await bed.close();
  });

  /** As somebody with the power of the owner does it: past foreign keys. */
  const tamper = (statement: string) => changeAll(`${UNCHECKED}; ${statement}`);
  async function changeAll(statements: string): Promise<void> {
    try {
      await owner.query(`begin; ${statements}; commit`);
    } catch (error) {
      await owner.query('rollback');
      throw error;
    }
  }
  const compare = (): Promise<Reconciliation> =>
    reconcileWithHistory(bed.service.db.ledger(ledger.scope));
  const mine = (table: string) =>
    table === 'signing_keys'
      ? `org_id = '${ledger.scope.orgId}'`
      : `ledger_id = '${ledger.scope.ledgerId}'`;

  it('An untouched ledger agrees with its activity, and every table of records has rows', async () => {
    const result = await compare();
    expect(result.findings).toEqual([]);
    expect(result).toMatchObject({ is_reconciled: true, findings_count: 0, skipped: [] });
    for (const name of KEPT) {
      const { rows } = await owner.query(`select from ${name} where ${mine(name)}`);
      expect(rows.length, name).toBeGreaterThan(0);
    }
  });

  const columns = Object.entries(CHANGES).flatMap(([table, changes]) =>
    Object.entries(changes).map(([column, value]) => [table, column, value] as const),
  );

  it.for([...columns, ...OTHER_CHANGES])(
    'A change of %s.%s is found',
    async ([table, column, value]) => {
      const place = await onlyRow(table);
      await tamper(`update ${table} set "${column}" = ${value} where ${place}`);
      const { findings } = await compare();
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: 'changed_row', table, column, key: expect.any(String) }),
      );
    },
  );

  it.for(SUM_CHANGES)('A change of the sum %s.%s is found', async ([table, column, value]) => {
    const place = await onlyRow(table);
    await tamper(`update ${table} set "${column}" = ${value} where ${place}`);
    const { findings } = await compare();
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'changed_sum', table, column }),
    );
  });

  it.for([
    ...Object.keys(ROW_TABLES),
    'settings',
    'signing_keys',
    'month_restatements',
    'attribution_models',
    'link_allocations',
    'liability_estimates',
    ...DERIVED,
  ])('A deleted row of %s is found', async (table) => {
    await tamper(`delete from ${table} where ${await onlyRow(table)}`);
    const { findings } = await compare();
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'missing_row', table }));
  });

  it.for(Object.keys(KEYS))('An inserted row of %s is found', async (table) => {
    const place = await onlyRow(table);
    const key = table === 'closed_months' ? '1999-01' : '00000000-0000-7000-8000-000000000001';
    const own: Record<string, string> = { [KEYS[table] ?? '']: key };
    if (table === 'api_keys') own.key_hash = `\\x${'00'.repeat(32)}`;
    if (table === 'sessions') own.token_hash = `\\x${'00'.repeat(32)}`;
    if (table === 'financial_events') own.origin = 'forged';
    if (table === 'links') own.deleted_at = '2026-04-16T00:00:00Z';
    await tamper(`insert into ${table} select (jsonb_populate_record(r,
      '${JSON.stringify(own)}'::jsonb)).* from ${table} r where ${place}`);
    const { findings } = await compare();
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'unexpected_row', table }));
  });

  it.each([
    ['a decision that no experiment has', '1', /^dec_/],
    ['no decision', '1000', /^seq 1000$/],
  ])('An assignment of %s is found', async (_of, seq, key) => {
    await tamper(`insert into experiment_assignments select (jsonb_populate_record(a,
      '{"seq": ${seq}}'::jsonb)).* from experiment_assignments a where ${await onlyRow('experiment_assignments')}`);
    expect((await compare()).findings).toMatchObject([
      { kind: 'unexpected_row', table: 'experiment_assignments', key: expect.stringMatching(key) },
    ]);
  });

  it('An earlier estimate beside the current one, of another night or of no decision is found', async () => {
    const place = await onlyRow('liability_history');
    for (const [own, key] of [
      [{ revision: 1000 }, /^dec_\w+ revision 1000$/],
      [{ seq: 1000 }, /^seq 1000$/],
    ] as const) {
      await tamper(`insert into liability_history select (jsonb_populate_record(h,
        '${JSON.stringify(own)}'::jsonb)).* from liability_history h where ${place}`);
      expect((await compare()).findings).toContainEqual(
        expect.objectContaining({ kind: 'unexpected_row', key: expect.stringMatching(key) }),
      );
    }
    await tamper(`update liability_history set snapshot_id = 1000 where ${place}`);
    expect((await compare()).findings).toContainEqual(
      expect.objectContaining({ kind: 'unexpected_row', table: 'liability_history' }),
    );
  });

  it('A current estimate that was made to look later is found by the earlier ones that it lacks', async () => {
    const place = await onlyRow('liability_estimates');
    await tamper(`update liability_estimates set revision = 2000000000 where ${place}`);
    expect((await compare()).findings).toMatchObject(
      [{ kind: 'missing_row', table: 'liability_history', key: / to 1999999999$/ }].map(
        (finding) => ({ ...finding, key: expect.stringMatching(finding.key) }),
      ),
    );
  });

  it('A review of a link that does not exist is found', async () => {
    await tamper(`insert into link_reviews select (jsonb_populate_record(r, jsonb_build_object(
      'link_id', gen_random_uuid()))).* from link_reviews r
      where ${await onlyRow('link_reviews')}`);
    expect((await compare()).findings).toMatchObject([
      { kind: 'unexpected_row', table: 'link_reviews', key: expect.stringMatching(/^lnk_/) },
    ]);
  });

  it('An export that was made to look incomplete is found', async () => {
    const place = await onlyRow('exports');
    await tamper(`update exports set status = 'failed', sha256 = null where ${place}`);
    expect((await compare()).findings).toMatchObject([{ kind: 'missing_row', table: 'exports' }]);
  });

  it('More findings than can be listed are counted', async () => {
    const many = `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object(
      'key_id', gen_random_uuid(), 'key_hash', '\\x' || encode(sha256(n::text::bytea), 'hex')))).*
      from api_keys k, generate_series(1, 150) n where ${await onlyRow('api_keys')}`;
    await tamper(many);
    const { findings, findings_count } = await compare();
    expect(findings).toHaveLength(100);
    expect(findings_count).toBe(150);
  });

  /** A condition for one row of the ledger. */
  async function onlyRow(table: string): Promise<string> {
    const live = table === 'financial_events' ? 'order by deleted_at nulls first' : '';
    const unlinked = table === 'liability_history' ? 'order by seq desc, revision' : live;
    const named = table === 'link_allocations' || table === 'links' ? `order by link_id` : unlinked;
    const { rows } = await owner.query<{ ctid: string }>(
      `select ctid::text from ${table} where ${mine(table)} ${named} limit 1`,
    );
    return `ctid = '${rows[0]?.ctid}'`;
  }
});
