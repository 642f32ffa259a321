import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
import { sealTables } from '#server/domains/evidence/reconciliation/seal';
import { runNow } from '#server/domains/judgement/liability/index';
import { ownerLogin } from '#server/platform/connection';
import { SEALED_TABLES } from '#server/tables/sealed-tables';
import { describeEngine } from '../../support/engine.js';
import { openTestService, type TestService } from '../../support/service.js';
import { type FullLedger, fullLedger } from './support/full-ledger.js';

const DAY_MS = 86_400_000;
const NAMES = Object.values(SEALED_TABLES).map(({ table }) => table);

/** Another value for a column of a form. */
const OTHERS = {
  text: (column: string) => `coalesce(${column}, '') || ' '`,
  number: (column: string) => `coalesce(${column}, 0) + 1000`,
  decimal: (column: string) => `coalesce(${column}, 0) + 0.01`,
  time: (column: string) => `${column} + interval '1 second'`,
  date: (column: string) => `(${column} - interval '1 month')::date`,
  uuid: () => 'gen_random_uuid()',
};

describeEngine((engine) => {
  let bed: TestService;
  let ledger: FullLedger;
  let owner: pg.Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    ledger = await fullLedger(bed);
    await ledger.decide({ timestamp: new Date(bed.clock.now() - 31 * DAY_MS).toISOString() });
    await night();
    bed.clock.advance(3 * DAY_MS);
    expect(await seal()).toBe(true);
    owner = new pg.Client(ownerLogin(bed.service.storage.address).client);
    await owner.connect();
    const copies = NAMES.map((name) => `create table kept.${name} as table ${name}`);
    await owner.query(`create schema kept; ${copies.join(';')}`);
    // Who owns the tables can also remove what restricts their values.
    await owner.query(
      `alter table liability_forecasts drop constraint liability_forecasts_basis_check;
       alter table event_reviews drop constraint event_reviews_kind_check,
         drop constraint event_reviews_verdict_check`,
    );
  });
  afterEach(async () => {
    const back = NAMES.map((name) => `delete from ${name}; insert into ${name} table kept.${name}`);
    await tamper(back.join(';'));
  });
  afterAll(async () => {
    await owner.query('drop schema kept cascade');
    await owner.end();
    await bed.close();
  });

  const UNCHECKED = 'set local session_replication_role = replica';
  const night = () => runNow(bed.service.db.ledger(ledger.scope), bed.service, () => undefined);
  const seal = () => sealTables(bed.service.db.ledger(ledger.scope));
  const compare = () => reconcile(bed.service.db.ledger(ledger.scope));
  const tamper = async (statement: string) => {
    try {
      await owner.query(`begin; ${UNCHECKED}; ${statement}; commit`);
    } catch (error) {
      await owner.query('rollback');
      throw error;
    }
  };
  const oneOf = async (table: string): Promise<string> => {
    const { rows } = await owner.query<{ ctid: string }>(
      `select ctid::text from ${table} where ledger_id = '${ledger.scope.ledgerId}' limit 1`,
    );
    return `ctid = '${rows[0]?.ctid}'`;
  };

  it('Each table has sealed rows, which agree', async () => {
    const { findings, unproven } = await compare();
    expect(findings).toEqual([]);
    expect(unproven.filter(({ table }) => NAMES.some((name) => name === table))).toEqual([]);
    for (const name of NAMES) expect(await oneOf(name), name).not.toContain('undefined');
  });

  const columns = Object.values(SEALED_TABLES).flatMap(({ table, columns }) =>
    Object.entries(columns).map(([column, form]) => [table, column, form] as const),
  );

  it.for(columns)('A change of %s.%s is found', async ([table, column, form]) => {
    const value = OTHERS[form](`"${column}"`);
    await tamper(`update ${table} set "${column}" = ${value} where ${await oneOf(table)}`);
    const { findings } = await compare();
    expect(findings).toContainEqual(expect.objectContaining({ table }));
  });

  it.for(NAMES)('A deleted row of %s is found', async (table) => {
    await tamper(`delete from ${table} where ${await oneOf(table)}`);
    expect((await compare()).findings).toContainEqual(
      expect.objectContaining({ kind: 'missing_row', table }),
    );
  });

  it('An inserted row is found', async () => {
    await tamper(`insert into exposure_days select (jsonb_populate_record(d,
      '{"agent_id": "nobody"}'::jsonb)).* from exposure_days d where ${await oneOf('exposure_days')}`);
    expect((await compare()).findings).toContainEqual(
      expect.objectContaining({ kind: 'unexpected_row', table: 'exposure_days' }),
    );
  });

  it('New rows are unproven until the next seal, and a night without any records none', async () => {
    expect(await seal()).toBe(false);
    await night();
    const { findings, unproven } = await compare();
    expect(findings).toEqual([]);
    expect(unproven).toContainEqual(expect.objectContaining({ table: 'exposure_days' }));
    bed.clock.advance(3 * DAY_MS);
    expect(await seal()).toBe(true);
    expect((await compare()).unproven.map(({ table }) => table)).not.toContain('exposure_days');
  });
});
