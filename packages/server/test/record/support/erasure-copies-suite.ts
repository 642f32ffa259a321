import { DecisionReceipt } from '@decision-ledger/contract/decision';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseFields } from '#server/domains/record/decisions/erase';
import type { Queryable } from '#server/platform/statement';
import { dataOf, decision } from '../../support/client.js';
import { decideFull, erase, FULL, REASON, rowsOf, verify } from '../../support/erasures.js';
import {
  announcementsOf,
  historyOf,
  liabilityOf,
  nightly,
  sumsOf,
} from '../../support/estimates.js';
import { followLogs } from '../../support/followers.js';
import { link, recordEvent } from '../../support/money.js';
import { itOnOneServer } from '../../support/one-server.js';
import { databaseWith } from '../../support/own-database.js';
import { type Engine, openTestService, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';

let bed: TestService;
let desk: Desk;

/** Data derived from a decision, and what an erasure leaves of it. */
export function erasureCopiesSuite(engine: Engine): void {
  describe(`Copies of erased fields on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      desk = await openDesk(bed);
    });
    afterAll(() => bed.close());

    describe('Attribution', features);
    describe('Liability', estimates);
  });
}

interface Known {
  readonly features: readonly { readonly tokens: string; readonly features: string }[];
  readonly frequencies: readonly { readonly token: number; readonly decisions: number }[];
}

/** What attribution has stored of a ledger's decisions. The hashes of two ledgers differ. */
async function known({ scope: { ledgerId } }: Desk): Promise<Known> {
  const features = await bed.service.db.query<Known['features'][number]>(sql`
    select tokens::text as tokens, encode(features, 'hex') as features from decision_features
    where ledger_id = ${ledgerId} order by seq`);
  const frequencies = await bed.service.db.query<Known['frequencies'][number]>(sql`
    select token, decisions from token_frequencies where ledger_id = ${ledgerId} order by token`);
  return { features, frequencies };
}

function features(): void {
  it('An erased decision has the features of one without these fields: nothing erased is counted', async () => {
    const [plain] = await desk.decide({ inputs: FULL.inputs, outputs: {} });
    await desk.look();
    const before = await known(desk);
    const id = await decideFull(desk.client);
    await desk.look();
    expect((await known(desk)).frequencies).not.toEqual(before.frequencies);
    await erase(desk.client, id, 'outputs', 'metadata', 'alternatives');
    const after = await known(desk);
    expect(after.features[1]).toEqual(after.features[0]);
    expect(after.frequencies.map(({ token }) => token)).toEqual(
      before.frequencies.map(({ token }) => token),
    );
    expect(after.frequencies.every(({ decisions }) => decisions === 2)).toBe(true);
    await erase(desk.client, id, 'inputs');
    await erase(desk.client, plain ?? '', 'inputs', 'outputs');
    expect((await known(desk)).frequencies).toEqual([]);
  });

  it('An erased decision is found by its remaining fields and no longer by the erased ones', async () => {
    const others = Array.from({ length: 60 }, (_none, n) => ({
      metadata: { order_id: `ORD-${3000 + n}`, customer_id: `CUST-${3000 + n}` },
    }));
    await desk.decide(...others);
    const id = await decideFull(desk.client, { timestamp: at(0) });
    await desk.look();
    await erase(desk.client, id, 'metadata');
    const lost = await desk.happen({ metadata: { order_id: 'ORD-2002' } });
    const kept = await desk.happen({
      metadata: { customer_id: 'CUST-1001' },
      amount: '731.25',
    });
    await desk.look();
    expect(await desk.suggested(lost)).toEqual([]);
    expect(await desk.suggested(kept)).toMatchObject([{ decision_id: id }]);
  });

  it('Features extracted after an erasure come from the remaining fields', async () => {
    const id = await decideFull(desk.client);
    await erase(desk.client, id, 'inputs', 'outputs', 'alternatives', 'metadata');
    await desk.look();
    expect(await known(desk)).toMatchObject({ features: [{ tokens: '{}' }], frequencies: [] });
  });

  it('An extraction that read the decision before its erasure is not stored', async () => {
    // The first run stores a model; the extraction is then the first transaction of the next.
    await desk.look();
    const id = await decideFull(desk.client);
    const { db } = bed.service;
    let isFirst = true;
    await desk.look({
      db: databaseWith(db, {
        async transaction(work) {
          if (isFirst) {
            await erase(desk.client, id, 'inputs', 'outputs', 'alternatives', 'metadata');
          }
          isFirst = false;
          return db.transaction(work);
        },
      }),
    });
    expect(await known(desk)).toMatchObject({ features: [{ tokens: '{}' }], frequencies: [] });
  });
}

function estimates(): void {
  it('An estimate after an erasure is as if nothing was stated, and no earlier figure is kept or shown', async () => {
    const { client, scope } = desk;
    const id = await decideFull(client);
    const [silent = ''] = await desk.decide({ outputs: {}, timestamp: undefined });
    await client.patch('/settings', { liability: { response_cost: '10.00' } });
    await nightly(bed, scope);
    bed.clock.advance(24 * 3_600_000);
    await nightly(bed, scope);
    expect((await historyOf(client, id)).length).toBeGreaterThan(1);
    expect(await rowsOf(bed, scope)).toContain('731.25');
    await erase(client, id, 'outputs');
    const left = await liabilityOf(client, id);
    expect(left.parts).toEqual((await liabilityOf(client, silent)).parts);
    expect(left.parts.amount_basis).toBe('matrix');
    expect(await historyOf(client, id)).toEqual([left]);
    expect(await rowsOf(bed, scope)).not.toContain('731.25');
    const told = await announcementsOf(bed, scope);
    expect(told.filter(({ update }) => update.decision_id === id)).toEqual([]);
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
    await nightly(bed, scope);
    expect((await liabilityOf(client, id)).parts.amount_basis).toBe('matrix');
  });

  it('An estimate stays the same if other fields are erased or no amount was stated', async () => {
    const { client } = desk;
    const [silent = ''] = await desk.decide({ outputs: { text: 'x' } });
    const id = await decideFull(client);
    const before = [await historyOf(client, id), await historyOf(client, silent)];
    bed.clock.advance(3_600_000);
    await erase(client, id, 'inputs', 'alternatives', 'metadata');
    await erase(client, silent, 'outputs');
    expect([await historyOf(client, id), await historyOf(client, silent)]).toEqual(before);
  });

  it('An estimate after an erasure still counts the links', async () => {
    const { client, scope } = desk;
    const id = await decideFull(client);
    const { id: event } = await recordEvent(client, { amount: '-500.00' });
    await client.post('/links', link(id, event, { link_type: 'loss', correlation_strength: 1 }));
    await followLogs(bed.service);
    await erase(client, id, 'outputs');
    expect((await liabilityOf(client, id)).parts).toMatchObject({
      ...{ amount_basis: 'linked', amount_at_risk: '500.00', realised: '500.00' },
    });
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
  });

  it('A replayed first answer omits the estimate after an erasure', async () => {
    const headers = { 'idempotency-key': 'told once' };
    const post = () => desk.client.post('/decisions', decision(FULL), headers);
    const { liability, ...first } = dataOf(await post(), DecisionReceipt, 201);
    expect(liability?.parts.amount_at_risk).toBe('731.25');
    await erase(desk.client, first.decision_id, 'outputs');
    const again = await post();
    expect(again.header('idempotency-replayed')).toBe('true');
    expect(dataOf(again, DecisionReceipt, 201)).toEqual(first);
    expect(await rowsOf(bed, desk.scope)).not.toContain('731.25');
    expect(await verify(desk.client)).toMatchObject({ is_valid: true });
  });

  itOnOneServer('it reads the counts of one server')(
    'The stored answer to an erased decision is found without reading the others',
    async () => {
      const { ledgerId } = desk.scope;
      await bed.service.db.query(sql`
      insert into idempotency_keys (ledger_id, key_mac, request_mac, response, created_at)
      select ${ledgerId}, int4send(n), '', '[]', ${at(0)}::timestamptz + n * interval '1 minute'
      from generate_series(1, 20000) n`);
      await withOwner(bed, (owner) => owner.query('analyze idempotency_keys'));
      const headers = { 'idempotency-key': 'one of many' };
      const answer = await desk.client.post('/decisions', decision(FULL), headers);
      const { decision_id } = dataOf(answer, DecisionReceipt, 201);
      const read = await bed.service.db.ledger(desk.scope).write(async (tx) => {
        // The engine also counts earlier reads of the session until it reports them.
        const before = await rowsRead(tx.connection);
        await eraseFields(tx, bed.service.hooks, { actor: 'key_test' }, decision_id, {
          fields: ['outputs'],
          reason: REASON,
        });
        return (await rowsRead(tx.connection)) - before;
      });
      expect(read).toBe(1);
      expect(await rowsOf(bed, desk.scope)).not.toContain('731.25');
    },
  );
}

/** Rows of the stored answers that this connection has read. */
async function rowsRead(tx: Queryable): Promise<number> {
  const [read] = await tx.query<{ rows: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
    where relname = 'idempotency_keys'`);
  return read?.rows ?? 0;
}
