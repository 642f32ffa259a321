import { AgentPage, ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { ExposureRows } from '@decision-ledger/contract/analytics-rows';
import type { ErasableField } from '@decision-ledger/contract/erasure';
import sql from 'sql-template-tag';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEstimated } from '#server/domains/answers/analytics/consistent';
import { sumEstimated, sumExposure } from '#server/domains/answers/analytics/store/exposure';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
import { forecastMonth } from '#server/domains/judgement/liability/follow';
import {
  readBacktest,
  storeEstimates,
  withEstimates,
} from '#server/domains/judgement/liability/index';
import { updateCurrency } from '#server/domains/judgement/liability/store/snapshots';
import { ownerLogin } from '#server/platform/connection';
import { type Database, openDatabase } from '#server/platform/database';
import type { Ledger } from '#server/platform/ledger';
import type { Scope } from '#server/platform/principal';
import { readTable } from '../../answers/support/read-table.js';
import { type Client, dataOf, decision } from '../../support/client.js';
import { erase } from '../../support/erasures.js';
import { decide, historyOf, liabilityOf, nightly, sumsOf } from '../../support/estimates.js';
import { link, recordEvent } from '../../support/money.js';
import { databaseWith, transactionWith } from '../../support/own-database.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

let bed: TestService;
let client: Client;
let scope: Scope;
let ledger: Ledger;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
  ledger = bed.service.db.ledger(scope);
});
afterAll(() => bed.close());

const EVERYTHING = { start: undefined, end: undefined, agentId: undefined, actionType: undefined };
const LOSS = { link_type: 'loss', correlation_strength: 1 };

/** Records a decision whose estimate a change of links stores, though the follower has not taken it. */
async function decideLinked(): Promise<void> {
  const { decision_id } = await decide(client);
  const { id } = await recordEvent(client, { amount: '-5.00' });
  expect((await client.post('/links', link(decision_id, id, LOSS))).status).toBe(201);
}

describe('Estimates that are stored while sums are read', () => {
  it.each([
    ['a change of links stores', decideLinked],
    [
      'the follower stores',
      async () => {
        await decide(client);
        await storeEstimates(ledger);
      },
    ],
  ])(
    'An answer counts the decisions up to as_of_seq and no others, whatever %s',
    async (_what, store) => {
      await decide(client);
      for (const read of [withEstimates, readAll]) {
        await storeEstimates(ledger);
        let isFirst = true;
        const { decisions, listed, as_of_seq } = await read(ledger, async (reader, known) => {
          if (isFirst) await store();
          isFirst = false;
          const sums = await sumExposure(reader, EVERYTHING, known);
          const rows = await sumEstimated(reader, EVERYTHING, known);
          return { decisions: sums.decisions, listed: rows?.rows, as_of_seq: known.as_of_seq };
        });
        expect([decisions, listed]).toEqual([as_of_seq, as_of_seq]);
      }
    },
  );

  async function readAll<Result>(...[of, read]: Parameters<typeof readEstimated<Result>>) {
    return (await readEstimated(of, read)).result;
  }
});

/** Makes all derived rows again, with the rights of the owner. */
async function rebuild() {
  const own = openDatabase({
    ...{ ...ownerLogin(bed.service.storage.address), maxConnections: 1 },
    context: bed.service.db.context,
  });
  try {
    return await rebuildLedger(own.ledger(scope), PROJECTIONS, () => undefined);
  } finally {
    await own.close();
  }
}

async function storedSeqs(): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select seq from liability_estimates where ledger_id = ${ledger.ledgerId} order by seq`);
  return rows.map(({ seq }) => seq);
}

/** Each answer that sums estimates. */
const ANSWERS: readonly [path: string, schema: TSchema][] = [
  ['/analytics/liability', ExposureAnalysis],
  ['/analytics/liability/rows', ExposureRows],
  ['/analytics/ai-pnl', Pnl],
  ['/analytics/timeline', Timeline],
  ['/analytics/agents', AgentPage],
];

describe('A decision whose estimate cannot be made', () => {
  it('It is pending in every sum, as JSON and as a table, and null where it is shown', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await decide(client)).decision_id);
    await asOwner(
      bed,
      'update decisions set estimate_snapshot = 999 where ledger_id = $1 and seq = 2',
      [scope.ledgerId],
    );
    for (const [path, schema] of ANSWERS) {
      expect(dataOf(await client.get(path), schema), path).toMatchObject({
        as_of_seq: 1,
        pending: 2,
      });
      const rows = await readTable(client, path);
      expect(rows.length, path).toBeGreaterThan(0);
      for (const row of rows) expect(row, path).toMatchObject({ as_of_seq: '1', pending: '2' });
    }
    expect(dataOf(await client.get('/analytics/liability'), ExposureAnalysis).decisions).toBe(1);
    await expect(liabilityOf(client, ids[1] ?? '')).rejects.toThrow('has no estimate');
    expect((await liabilityOf(client, ids[2] ?? '')).revision).toBe(0);
    await expect(storeEstimates(ledger)).rejects.toThrow('the snapshot of decision 2');
    expect(await storedSeqs()).toEqual([1]);
    expect((await reconcile(ledger)).findings).toMatchObject([
      { kind: 'missing_row', table: 'liability_estimates', key: ids[1] },
    ]);
  });
});

describe('Sums while many large decisions wait for their estimates', () => {
  const BYTES = 250_000;

  it('They read at most 8 MiB of payloads, once for answers at the same time', async () => {
    const large = 'x'.repeat(BYTES);
    const body = decision({
      inputs: { large },
      outputs: { large, amount: 1 },
      metadata: { large },
    });
    for (let n = 0; n < 5; n += 1) {
      const answer = await client.post('/decisions/batch', { decisions: Array(10).fill(body) });
      expect(answer.status).toBe(201);
    }
    let pages = 0;
    const { db } = bed.service;
    const counted: Database = databaseWith(db, {
      transaction: (work) =>
        db.transaction((tx) =>
          work(
            transactionWith(tx, (statement) => {
              if (statement.name === 'select-decided') pages += 1;
              return tx.query(statement);
            }),
          ),
        ),
    });
    const states = await Promise.all(
      [1, 2, 3].map(() =>
        withEstimates(counted.ledger(scope), async (reader, known) => ({
          counted: (await sumExposure(reader, EVERYTHING, known)).decisions,
          ...{ as_of_seq: known.as_of_seq, pending: known.pending },
        })),
      ),
    );
    const fitting = Math.floor((8 * 1024 * 1024) / (3 * BYTES));
    const state = { counted: fitting, as_of_seq: fitting, pending: 50 - fitting };
    expect(states).toEqual([state, state, state]);
    expect(pages).toBe(1);
  });
});

describe('A forecast', () => {
  it('It counts decisions that are not stored yet, and so does the comparison with it', async () => {
    // The database dates decisions by the real clock.
    const now = new Date();
    const month = (later: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 2);
    for (let n = 0; n < 3; n += 1) await decide(client, { outputs: { amount: 100 } });
    await forecastMonth(ledger, month(1));
    const statuses = async () => (await readBacktest(ledger, month(60))).months;
    expect(await statuses()).toMatchObject([{ decisions: 3, status: 'compared' }]);
    await decide(client, { outputs: { amount: 100 } });
    expect(await statuses()).toMatchObject([{ decisions: 3, status: 'changed' }]);
    await storeEstimates(ledger);
    expect((await statuses())[0]?.realised).not.toBeNull();
    await ledger.write((tx) => updateCurrency(tx, null));
    expect((await statuses())[0]?.realised).toBeNull();
  });
});

describe('An erasure before the first estimate is stored', () => {
  const SEEN = { reviewer_id: 'r-1', note: 'seen' };
  const FIXED = { confidence_source: 'fixed', model: 'm-1' };

  it.each<[string, Record<string, unknown>, ErasableField, Record<string, unknown>]>([
    ['what no estimate depends on', { alternatives: [{ a: 1 }] }, 'alternatives', { revision: 0 }],
    ['the name of a reviewer', { metadata: SEEN }, 'metadata', { revision: 0 }],
    ['the version', { metadata: { ...SEEN, ...FIXED } }, 'metadata', { revision: 0 }],
    ['the amount', { metadata: SEEN, outputs: { amount: 90 } }, 'outputs', { revision: 1 }],
  ])('%s: what is left is what is left after it', async (_what, fields, field, expected) => {
    const left: unknown[] = [];
    for (const isStored of [true, false]) {
      const own = (await bed.organisation()).live;
      const ownScope = await scopeOf(bed, own);
      const ownLedger = bed.service.db.ledger(ownScope);
      const { decision_id, liability } = await decide(own, fields);
      if (isStored) await storeEstimates(ownLedger);
      await erase(own, decision_id, field);
      const told = await historyOf(own, decision_id);
      await storeEstimates(ownLedger);
      expect(await historyOf(own, decision_id)).toEqual(told);
      // The confidence and the reviewer stay.
      const { confidence_factor, human_factor } = liability?.parts ?? {};
      expect(told).toMatchObject([{ ...expected, parts: { confidence_factor, human_factor } }]);
      const { plain, cells } = await sumsOf(bed, ownScope);
      expect(cells).toEqual(plain);
      expect((await reconcile(ownLedger)).findings).toEqual([]);
      left.push(told.map(({ estimated_at: _, ...estimate }) => estimate));
    }
    expect(left[1]).toEqual(left[0]);
  });
});

describe('A lost estimate', () => {
  it('Nothing makes it wrongly, others go on without it, and a rebuild makes it', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push((await decide(client, { outputs: { amount: 80 } })).decision_id);
    }
    const [revised = '', erased = '', kept = ''] = ids;
    const lose = async (...linked: readonly string[]) => {
      const { id } = await recordEvent(client, { amount: '-10.00' });
      for (const one of linked) {
        const strength = { link_type: 'loss', correlation_strength: 0.4 };
        expect((await client.post('/links', link(one, id, strength))).status).toBe(201);
      }
    };
    await storeEstimates(ledger);
    await lose(revised);
    await asOwner(
      bed,
      `begin; set local session_replication_role = replica; delete from liability_estimates
        where ledger_id = '${scope.ledgerId}' and seq < 3; commit`,
    );
    await lose(revised, kept);
    await erase(client, erased, 'outputs');
    await expect(nightly(bed, scope)).rejects.toThrow(`${revised}, among others, is missing`);
    await nightly(bed, scope);
    expect(await storedSeqs()).toEqual([3]);
    for (const id of [revised, erased]) {
      await expect(liabilityOf(client, id)).rejects.toThrow('has no estimate');
    }
    // The link and the run changed it.
    expect((await historyOf(client, kept)).map(({ revision }) => revision)).toEqual([2, 1, 0]);

    expect(await rebuild()).toMatchObject({ damage: [], failure: null });
    expect((await historyOf(client, revised)).map(({ revision }) => revision)).toEqual([1, 0]);
    expect(await liabilityOf(client, revised)).toMatchObject({ parts: { realised: '8.00' } });
    expect((await historyOf(client, erased)).map(({ revision }) => revision)).toEqual([1]);
    expect((await reconcile(ledger)).findings).toEqual([]);
  });

  it('One that a change of links stored is no gap when its snapshot is lost', async () => {
    await decideLinked();
    await decide(client);
    await asOwner(
      bed,
      'update decisions set estimate_snapshot = 999 where ledger_id = $1 and seq = 1',
      [scope.ledgerId],
    );
    const pending = async () =>
      dataOf(await client.get('/analytics/liability'), ExposureAnalysis).pending;
    expect(await pending()).toBe(0);
    await storeEstimates(ledger);
    expect(await storedSeqs()).toEqual([1, 2]);
  });
});
