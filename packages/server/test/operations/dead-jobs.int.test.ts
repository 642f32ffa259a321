import { DeadJobPage, RetriedJob } from '@decision-ledger/contract/operations';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../support/service.js';
import { giveUpJob } from '../support/stored-jobs.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const list = async (query = '') => dataOf(await org.live.get(`/jobs/dead?${query}`), DeadJobPage);
const giveUp = async (object_id: string) =>
  giveUpJob(bed, await scopeOf(bed, org.live), { object_id });
const waiting = (objectId: string) =>
  bed.service.db.query<{ name: string }>(sql`
    select name from job where data ->> 'object_id' = ${objectId}`);

it('A dead job is listed with its subject and without internal ids', async () => {
  const job_id = await giveUp('ch_shown');
  const { jobs } = await list();
  const queue = 'stripe-object';
  const told = { queue, data: { object_id: 'ch_shown' }, error: 'it did not work', tries: 9 };
  const times = { created_at: expect.any(String), failed_at: expect.any(String) };
  expect(jobs).toEqual([{ job_id, ...told, ...times }]);
});

it('A retried job returns to its queue once', async () => {
  const id = await giveUp('ch_again');
  const retry = () => org.live.post(`/jobs/${id}/retry`, '');
  const answers = await Promise.all([retry(), retry(), retry()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  for (const answer of answers) {
    if (answer.status === 404) expectRefusal(answer, 'not_found');
    else expect(dataOf(answer, RetriedJob)).toEqual({ job_id: id, queue: 'stripe-object' });
  }
  expect(await waiting('ch_again')).toEqual([{ name: 'stripe-object' }]);
  expect((await list()).jobs).toEqual([]);
  const before = await contents(bed);
  expectRefusal(await retry(), 'not_found');
  expect(await contents(bed)).toBe(before);
});

it('Paging through dead jobs lists each once, newest first', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) ids.push(await giveUp(`ch_${n}`));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: DeadJobPage = await list(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.jobs.map(({ job_id }) => job_id));
    cursor = page.next_cursor;
    if (cursor !== null) await giveUp('ch_new');
  }
  expect(seen).toEqual(ids.toReversed());
});
