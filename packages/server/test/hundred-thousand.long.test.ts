import process from 'node:process';
import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import { DecisionBatchReceipt, DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Client, dataOf, decision } from './support/client.js';
import { type Engine, openTestService, type TestService } from './support/service.js';

const BATCH = 100;
/** The number of batches, so that a trial of this file can use fewer. */
const BATCHES = Number(process.env.LONG_TEST_BATCHES ?? 1000);
const DECISIONS = BATCHES * BATCH;

const engines: Engine[] = 'reason' in inject('postgres') ? ['embedded'] : ['embedded', 'postgres'];

describe.for(engines)(`Ledger of ${DECISIONS} decisions on %s`, (engine) => {
  let bed: TestService;
  let live: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    ({ live } = await bed.organisation());
    for (let n = 0; n < BATCHES; n += 1) {
      const decisions = Array.from({ length: BATCH }, (_, at) =>
        decision({ inputs: { n: n * BATCH + at } }),
      );
      dataOf(await live.post('/decisions/batch', { decisions }), DecisionBatchReceipt, 201);
    }
  }, 3_600_000);
  afterAll(() => bed.close());

  it('The ledger verifies to its last record', async () => {
    const answer = await live.get('/decisions/chain/verify');
    expect(dataOf(answer, DecisionChainVerification)).toMatchObject({
      is_valid: true,
      records_checked: DECISIONS,
    });
  });

  it('Paging lists each record once, newest first', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await live.get(`/decisions?limit=500${more}`);
      const page: DecisionPage = dataOf(answer, DecisionPage);
      seen.push(...page.decisions.map(({ inputs }) => Object(inputs).n));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: DECISIONS }, (_, n) => DECISIONS - 1 - n));
  });
});
