import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { featureFollower, outcomeFollower } from '#server/domains/judgement/attribution/index';
import { following } from '#server/platform/followers/runner';
import { catchUp } from '#server/platform/followers/step';
import { OUTCOME_CASES } from '../../../contract/test/support/outcome-cases.js';
import type { Client } from '../support/client.js';
import { erase } from '../support/erasures.js';
import { decide, liabilityOf } from '../support/estimates.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;
let client: Client;
let ledgerId: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  ({ ledgerId } = await scopeOf(bed, client));
});
afterAll(() => bed.close());

const ledger = async () => bed.service.db.ledger(await scopeOf(bed, client));

/** Whether attribution takes each decision for one that did nothing, in their order. */
async function undone(): Promise<boolean[]> {
  await catchUp(await ledger(), featureFollower, new AbortController().signal);
  const rows = await bed.service.db.query<{ says_it_failed: boolean }>(sql`
    select says_it_failed from decision_features where ledger_id = ${ledgerId} order by seq`);
  return rows.map(({ says_it_failed }) => says_it_failed);
}

/** Lets the outcomes be read again; returns the errors that the follower met. */
async function readAgain(): Promise<unknown[]> {
  const errors: unknown[] = [];
  const run = following({
    ...{ ...bed.service, followers: [featureFollower, outcomeFollower] },
    onError: (error) => void errors.push(error),
  });
  await run.look([ledgerId]);
  await run.idle();
  return errors;
}

describe('One outcome for every way in', () => {
  it('What was denied or failed is not at risk, and moved no money for attribution', async () => {
    const expected: boolean[] = [];
    for (const { name, recorded } of OUTCOME_CASES.cases) {
      for (const { ways, outputs, stated, outcome } of recorded) {
        const metadata = stated === undefined ? {} : { outcome: stated };
        const { liability } = await decide(client, {
          ...{ action_type: 'refund', inputs: { amount: '49.00' }, outputs, metadata },
        });
        const isUndone = outcome === 'denied' || outcome === 'failed';
        expected.push(isUndone);
        expect(liability?.parts.amount_basis === 'denied', `${name}: ${ways}`).toBe(isUndone);
      }
    }
    expect(await undone()).toEqual(expected);
  });

  it('An erased statement leaves what is left to tell', async () => {
    const { decision_id } = await decide(client, {
      ...{ inputs: { amount: '49.00' }, outputs: {}, metadata: { outcome: 'denied' } },
    });
    expect(await undone()).toEqual([true]);
    await erase(client, decision_id, 'metadata');
    expect(await undone()).toEqual([false]);
    expect((await liabilityOf(client, decision_id)).parts.amount_basis).toBe('claimed');
  });
});

describe('Changed settings', () => {
  const own = (value: string) => ({
    liability: {
      outcomes: { values: [{ outcome: 'denied', paths: ['outputs.bescheid'], values: [value] }] },
    },
  });

  it('The outcomes of recorded decisions are read again, in steps, for attribution', async () => {
    for (let n = 0; n < 3; n += 1) {
      const decisions = Array.from({ length: 90 }, (_, at) => ({
        ...{ agent_id: 'agent', action_type: 'refund', inputs: {}, confidence: 0.5 },
        outputs: { bescheid: at % 2 === 0 ? 'abgelehnt' : 'genehmigt' },
      }));
      expect((await client.post('/decisions/batch', { decisions })).status).toBe(201);
    }
    expect((await undone()).filter(Boolean)).toHaveLength(0);
    expect((await client.patch('/settings', own('abgelehnt'))).status).toBe(200);
    expect(await readAgain()).toEqual([]);
    expect((await undone()).filter(Boolean)).toHaveLength(135);
    expect((await client.patch('/settings', { liability: null })).status).toBe(200);
    expect(await readAgain()).toEqual([]);
    expect((await undone()).filter(Boolean)).toHaveLength(0);
    const due = await bed.service.db.query(sql`
      select subject from due_work where ledger_id = ${ledgerId} and follower = 'outcomes'`);
    expect(due).toEqual([]);
  });

  it('A decision that is not extracted yet is waited for', async () => {
    await decide(client, { outputs: { bescheid: 'abgelehnt' } });
    await client.patch('/settings', own('abgelehnt'));
    expect(await readAgain()).toEqual([]);
    expect(await undone()).toEqual([true]);
  });

  it('Other settings make nothing due', async () => {
    await client.patch('/settings', { liability: { response_cost: '5' } });
    const due = await bed.service.db.query(sql`
      select subject from due_work where ledger_id = ${ledgerId} and follower = 'outcomes'`);
    expect(due).toEqual([]);
  });
});
