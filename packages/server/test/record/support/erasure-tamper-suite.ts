import type { ErasableField } from '@decision-ledger/contract/erasure';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseFields } from '#server/domains/record/decisions/erase';
import type { Database } from '#server/platform/database';
import { idToUuid } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, errorOf, expectRefusal } from '../../support/client.js';
import { dyingInside } from '../../support/dying-database.js';
import {
  decideFull,
  erase,
  erasuresOf,
  FULL,
  postErasure,
  REASON,
  read,
  rowsOf,
  verify,
} from '../../support/erasures.js';
import { decide, nightly } from '../../support/estimates.js';
import { SCHEMA } from '../../support/postgres-names.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { openDesk } from '../../support/suggestions-desk.js';
import { forgeErasure } from './forged-activity.js';

let bed: TestService;
let client: Client;
let scope: Scope;
let id: string;

/** How an erasure and its record are tied together. */
export function erasureTamperSuite(engine: Engine): void {
  describe(`Erasure and its record on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
      scope = await scopeOf(bed, client);
      await decide(client);
      id = await decideFull(client);
      await decide(client);
    });
    afterAll(() => bed.close());

    describe('Tampering', tampering);
    describe('Database function', rights);
    describe('Process failures', atomicity);
    describe('Concurrency', concurrency);
  });
}

const asOwner = (text: string, values: readonly unknown[] = [scope.ledgerId]) =>
  withOwner(bed, (owner) => owner.query(text, [...values]));

const broken = (detail: string) => ({
  ...{ is_valid: false, records_checked: 1 },
  first_broken_link: { seq: 2, decision_id: id, kind: 'commitment', detail },
});

function tampering(): void {
  it('Verification finds a field that was emptied without a record', async () => {
    await asOwner('update decisions set inputs = null where ledger_id = $1 and seq = 2');
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it('Verification finds a field emptied beside others that have a record', async () => {
    await erase(client, id, 'inputs');
    await asOwner('update decisions set outputs = null where ledger_id = $1 and seq = 2');
    expect(await verify(client)).toMatchObject(broken('outputs'));
  });

  it('Verification finds a field emptied in another decision than the recorded one', async () => {
    const other = await decideFull(client);
    await erase(client, other, 'inputs');
    await asOwner('update decisions set inputs = null where ledger_id = $1 and seq = 2');
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it.for([
    ['data altered', `set data = replace(data, '"inputs"', '"metadata"')`],
    ['data that is not JSON', `set data = ''`],
    ['removed data', 'set data = null'],
    ['another subject', `set subject = 'dec_01kpat0fe0ec88qqtsarzj0nhh'`],
    ['another type', `set type = 'key.issued'`],
    ['an altered entry', `set entry = entry || ' '`],
  ])('A record with %s does not count as proof of an erasure', async ([, change]) => {
    await erase(client, id, 'inputs');
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 1 });
    await asOwner(`update activity ${change}
      where ledger_id = $1 and type = 'decision.field_erased'`);
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it('A record does not count if its chain is broken elsewhere or if it was removed', async () => {
    await erase(client, id, 'inputs');
    await asOwner(`update activity set actor = 'somebody' where ledger_id = $1 and seq = 1`);
    expect(await verify(client)).toMatchObject(broken('inputs'));
    await asOwner(`delete from activity where ledger_id = $1 and type = 'decision.field_erased'`);
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it('A record outside the chain does not count', async () => {
    await asOwner('update decisions set inputs = null where ledger_id = $1 and seq = 2');
    await asOwner(
      `insert into activity select ledger_id, 99, epoch, gen_random_uuid(), 'decision.field_erased',
        actor, $2, created_at, entry, sha256(hash), sha256(prev_hash),
        '["AAAAAAAAAAAAAAAAAAAAAA","data",{"fields":["inputs"],"reason":"x"}]'
      from activity where ledger_id = $1 and seq = 1`,
      [scope.ledgerId, id],
    );
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it('A field emptied without a record is not accepted as erased', async () => {
    await erase(client, id, 'metadata');
    await asOwner('update decisions set inputs = null where ledger_id = $1 and seq = 2');
    for (const fields of [['inputs'], ['metadata', 'inputs', 'outputs']] as const) {
      const answer = await postErasure(client, id, fields);
      expectRefusal(answer, 'conflict');
      expect(errorOf(answer).message).toMatch(/^inputs: missing without a record/);
    }
    expect(await erasuresOf(client)).toHaveLength(1);
    expect((await read(client, id)).outputs).toEqual(FULL.outputs);
    expect(await erase(client, id, 'metadata', 'outputs')).toMatchObject({ activity_seq: 4 });
  });

  it.for([
    ['invalid JSON', '{"fields":["inputs"],'],
    ['a key twice', '{"fields":["inputs"],"fields":["inputs"],"reason":"x"}'],
    ['another shape', '["inputs"]'],
  ] as const)('A chained record with %s has no effect and stops nothing', async ([, text]) => {
    await erase(client, id, 'metadata');
    await forgeErasure(bed, scope, id, text);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 1 });
    const [own, forged] = await erasuresOf(client);
    expect(own).toMatchObject({ subject: id, data: { fields: ['metadata'] } });
    expect(forged).toMatchObject({ subject: id });
    expect(forged).not.toHaveProperty('data');
    await asOwner('update decisions set inputs = null where ledger_id = $1 and seq = 2');
    expect(await verify(client)).toMatchObject(broken('inputs'));
  });

  it.for([
    ['another record is altered', `set actor = 'somebody' where ledger_id = $1 and seq = 1`],
    [
      'the record itself is altered',
      `set actor = 'somebody'
      where ledger_id = $1 and type = 'decision.field_erased'`,
    ],
    ['a record is missing', 'set seq = 99 where ledger_id = $1 and seq = 1'],
  ])('Verification finds a restored text when %s', async ([, change]) => {
    const [before] = await stored();
    await erase(client, id, 'inputs');
    await asOwner('update decisions set inputs = $2 where ledger_id = $1 and seq = 2', [
      scope.ledgerId,
      before?.inputs,
    ]);
    await asOwner(`update activity ${change}`);
    const finding = { ...broken('inputs').first_broken_link, expected: null };
    expect(await verify(client)).toMatchObject({ is_valid: false, first_broken_link: finding });
  });

  it('Verification finds a restored text, alone and in a range', async () => {
    const [before] = await stored();
    await erase(client, id, 'inputs', 'metadata');
    await asOwner('update decisions set inputs = $2 where ledger_id = $1 and seq = 2', [
      scope.ledgerId,
      before?.inputs,
    ]);
    const found = { expected: null, actual: expect.stringMatching(/^[\w-]{43}$/) };
    const finding = { ...broken('inputs').first_broken_link, ...found };
    expect(await verify(client)).toMatchObject({ ...broken(''), first_broken_link: finding });
    const range = await verify(client, '?start_date=2026-01-01');
    expect(range).toMatchObject({ first_broken_link: finding });
    expect(await erase(client, id, 'inputs')).toMatchObject({
      erased_fields: ['inputs', 'metadata'],
    });
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 2 });
  });
}

const stored = () =>
  bed.service.db.query<{ inputs: string | null; terms: string }>(sql`
    select inputs, terms::text as terms from decisions
    where ledger_id = ${scope.ledgerId} and seq = 2`);

function rights(): void {
  const refused = { code: '42501' };

  it('The service may call the function only after the record of that very decision', async () => {
    const { db } = bed.service;
    const call = (decisionId: string) =>
      db.query(sql`
        select erase_decision_fields(${scope.ledgerId}::uuid, ${idToUuid('dec', decisionId)}::uuid)`);
    await expect(call(id)).rejects.toMatchObject(refused);
    const other = await decideFull(client);
    await erase(client, other, 'inputs');
    await expect(call(id)).rejects.toMatchObject(refused);
    await client.post('/keys', { name: 'one more record', permissions: ['read'] });
    await expect(call(other)).rejects.toMatchObject(refused);
    await expect(call('dec_01kpat0fe0ec88qqtsarzj0nhh')).rejects.toMatchObject(refused);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 1 });
  });

  it('Nobody else may call the function, and the service still cannot change a decision itself', async () => {
    const { rows } = await asOwner(
      `select has_function_privilege('pg_monitor', p.oid, 'execute') as others,
        p.prosecdef as definer, p.proconfig::text as settings
      from pg_proc p where p.proname = 'erase_decision_fields'`,
      [],
    );
    expect(rows).toEqual([
      { others: false, definer: true, settings: `{"search_path=${SCHEMA}, pg_temp"}` },
    ]);
    for (const column of ['inputs', 'terms', 'metadata']) {
      const change = bed.service.db.query({
        text: `update decisions set ${column} = null where false`,
        values: [],
      });
      await expect(change).rejects.toMatchObject(refused);
    }
  });
}

/** The statements of the request, on a database that may fail during them. */
function eraseOn(db: Database, fields: readonly ErasableField[]): Promise<unknown> {
  const actor = { scope, actor: 'key_test' };
  return db
    .ledger(actor.scope)
    .write((tx) =>
      eraseFields(tx, bed.service.hooks, actor, id, { fields: [...fields], reason: REASON }),
    );
}

function atomicity(): void {
  it('A failure at any point leaves nothing half done', async () => {
    await (await openDesk(bed, client)).look();
    await nightly(bed, scope);
    bed.clock.advance(30 * 24 * 3_600_000);
    await nightly(bed, scope);
    const before = await rowsOf(bed, scope);
    for (const copy of ['"tokens"', '"stated_amount":731.25', '"subject":']) {
      expect(before).toContain(copy);
    }
    let statements = 0;
    for (; ; statements += 1) {
      const dying = dyingInside(bed.service.db, statements);
      const died = await eraseOn(dying, ['inputs', 'outputs', 'metadata']).then(
        () => false,
        () => true,
      );
      if (!died) break;
      expect(await rowsOf(bed, scope), `after ${statements} statements`).toBe(before);
    }
    expect(statements).toBeGreaterThan(20);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 3 });
  });
}

function concurrency(): void {
  it('Two erasures of the same field both succeed and are recorded once', async () => {
    const second = (await bed.another()).client(client.key);
    const answers = await Promise.all(
      [client, second, client, second].map((by) => postErasure(by, id, ['inputs', 'outputs'])),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await erasuresOf(client)).toHaveLength(1);
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 2 });
  });

  it('Concurrent erasures of different fields all take effect while decisions are recorded', async () => {
    const fields = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
    await Promise.all([
      ...fields.map((field) => postErasure(client, id, [field])),
      ...Array.from({ length: 10 }, () => decide(client)),
    ]);
    expect((await read(client, id)).erased_fields).toEqual(fields);
    expect(await verify(client)).toMatchObject({
      ...{ is_valid: true, erased_fields: 4, records_checked: 13 },
    });
  });
}
