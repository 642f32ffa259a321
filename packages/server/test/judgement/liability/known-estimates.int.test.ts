import { AgentPage, ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { ExposureRows } from '@decision-ledger/contract/exposure-rows';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEstimated } from '#server/domains/answers/analytics/consistent';
import { sumExposure } from '#server/domains/answers/analytics/store/exposure';
import { sumEstimated } from '#server/domains/answers/analytics/store/exposure-rows';
import { forecastMonth } from '#server/domains/judgement/liability/forecast-month';
import {
  readBacktest,
  storeEstimates,
  withEstimates,
} from '#server/domains/judgement/liability/index';
import { updateCurrency } from '#server/domains/judgement/liability/store/liability-states';
import type { Database } from '#server/platform/database';
import type { Ledger } from '#server/platform/ledger';
import type { Scope } from '#server/platform/scope';
import { readTable } from '../../answers/support/read-table.js';
import { type Client, dataOf, decision } from '../../support/client.js';
import { erase } from '../../support/erasures.js';
import { decide, historyOf, liabilityOf, sumsOf } from '../../support/estimates.js';
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
  const metadata = { reviewer_id: 'r-1', note: 'seen' };

  it('It takes a new revision for what is left, so that revision 0 says one thing only', async () => {
    const { decision_id, liability } = await decide(client, { metadata, alternatives: [{ a: 1 }] });
    expect(liability?.parts.human_factor).toBeLessThan(1);
    await erase(client, decision_id, 'alternatives');
    expect(await historyOf(client, decision_id)).toEqual([liability]);
    await erase(client, decision_id, 'metadata');
    const left = await liabilityOf(client, decision_id);
    expect(left).toMatchObject({ revision: 1, parts: { human_factor: 1 } });
    await storeEstimates(ledger);
    expect(await historyOf(client, decision_id)).toEqual([left]);
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
  });
});
