import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyActivity } from '#server/domains/log/activity/index';
import { verifyDecisions } from '#server/domains/record/decisions/index';
import type { Database } from '#server/platform/database';
import type { Scope } from '#server/platform/principal';
import type { Statement } from '#server/platform/statement';
import { type Client, dataOf, decision } from '../support/client.js';
import { erase } from '../support/erasures.js';
import { databaseWith } from '../support/own-database.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };
/** More than one read of decisions: the first takes 50, each later one four times as many. */
const COUNT = 300;

let bed: TestService;
let client: Client;
let scope: Scope;
let ids: string[];

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
  ids = [];
  while (ids.length < COUNT) {
    const decisions = Array.from({ length: 100 }, () => decision({ metadata: { a: 1 } }));
    const answer = await client.post('/decisions/batch', { decisions });
    const { decisions: receipts } = dataOf(answer, DecisionBatchReceipt, 201);
    ids.push(...receipts.map(({ decision_id }) => decision_id));
  }
});
afterAll(() => bed.close());

/** The database, with a hook before each statement. */
function watched(before: (text: string) => Promise<void> | void): Database {
  return databaseWith(bed.service.db, {
    async query<Row extends object>(statement: Statement) {
      await before(statement.text);
      return bed.service.db.query<Row>(statement);
    },
    async copy(statement, take) {
      await before(statement.text);
      return bed.service.db.copy(statement, take);
    },
  });
}

const WALKS_ACTIVITY = /from activity\s+where ledger_id = \S+ and seq between/;
const READS_DECISIONS = /from decisions\s+where ledger_id = \S+ and seq between/;
const LOOKS_UP = /type = 'decision\.field_erased'\s+and subject/;

async function countOf(pattern: RegExp, work: (db: Database) => Promise<unknown>) {
  let count = 0;
  await work(
    watched((text) => {
      if (pattern.test(text)) count += 1;
    }),
  );
  return count;
}

const verify = (db: Database) => verifyDecisions(db.ledger(scope), WHOLE);

/** Runs `work` once, before the n-th statement that matches the pattern. */
function once(pattern: RegExp, n: number, work: () => Promise<unknown>): Database {
  let count = 0;
  return watched(async (text) => {
    if (!pattern.test(text)) return;
    count += 1;
    if (count === n) await work();
  });
}

describe('Walk over decisions', () => {
  it('A ledger without erasures costs one query on activity and no walk of it', async () => {
    expect(await countOf(/activity/, verify)).toBe(1);
    expect(await countOf(WALKS_ACTIVITY, verify)).toBe(0);
  });

  it('The activity is walked once, however many fields are erased', async () => {
    for (const id of ids.filter((_id, n) => n % 5 === 0)) await erase(client, id, 'inputs');
    const once = await countOf(WALKS_ACTIVITY, (db) => verifyActivity(db.ledger(scope), WHOLE));
    expect(await countOf(WALKS_ACTIVITY, verify)).toBe(once);
    const found = await verify(bed.service.db);
    expect(found).toMatchObject({ finding: null, recordsChecked: COUNT, erasedFields: 60 });
  });

  it.for([
    ['before they are read', READS_DECISIONS, 60, 1],
    ['after they are read and before their records are', LOOKS_UP, 60, 0],
    ['after they are walked', LOOKS_UP, 0, 0],
  ] as const)(
    'A walk finds no fault when fields are erased %s',
    async ([, pattern, place, erased]) => {
      await erase(client, ids[0] ?? '', 'metadata');
      const db = once(pattern, 2, () => erase(client, ids[place] ?? '', 'inputs'));
      expect(await verify(db)).toMatchObject({
        ...{ finding: null, recordsChecked: COUNT, erasedFields: 1 + erased },
      });
      expect(await verify(bed.service.db)).toMatchObject({ finding: null, erasedFields: 2 });
    },
  );

  it('A second walk over the activity continues where the first ended', async () => {
    await erase(client, ids[0] ?? '', 'metadata');
    const firsts: unknown[] = [];
    let reads = 0;
    const db = databaseWith(bed.service.db, {
      async query<Row extends object>(statement: Statement) {
        if (WALKS_ACTIVITY.test(statement.text)) firsts.push(statement.values?.[1]);
        return bed.service.db.query<Row>(statement);
      },
      async copy(statement, take) {
        reads += 1;
        await erase(client, ids.at(-reads) ?? '', 'inputs');
        return bed.service.db.copy(statement, take);
      },
    });
    const { head } = await verifyActivity(bed.service.db.ledger(scope), WHOLE);
    expect(await verify(db)).toMatchObject({ finding: null, erasedFields: 1 + reads });
    expect(reads).toBeGreaterThan(2);
    expect(firsts).toEqual([1, head.seq + 1]);
  });

  it('A walk finds no fault when the first erasure of a ledger happens during it', async () => {
    const db = once(READS_DECISIONS, 2, () => erase(client, ids[100] ?? '', 'outputs'));
    expect(await verify(db)).toMatchObject({ finding: null, erasedFields: 1 });
  });
});
