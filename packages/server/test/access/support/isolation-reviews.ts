import { AttributionModel, AttributionQuality } from '@decision-ledger/contract/analytics-quality';
import { GivenAnswerPage, ReviewAnswer, ReviewPage } from '@decision-ledger/contract/review';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import { type Answer, type Client, dataOf, expectRefusal } from '../../support/client.js';
import { contents, type TestService } from '../../support/service.js';
import { openDesk } from '../../support/suggestions-desk.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** The cases of the routes about reviews. */
export const REVIEW_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/reviews': listsOwn,
  'GET /api/v1/reviews/answers': listsOwnAnswers,
  'POST /api/v1/reviews/:id': answersOwn,
  'DELETE /api/v1/reviews/:id': withdrawsOwn,
  'GET /api/v1/analytics/attribution-quality': measuresOwn,
  'GET /api/v1/analytics/attribution-model': readsOwnModel,
};

interface Waiting {
  readonly decision: string;
  /** Events that wait for a review. */
  readonly first: string;
  readonly second: string;
  readonly third: string;
  /** Each is answered once, for good. */
  readonly others: string[];
}

const made = new Map<string, Promise<Waiting>>();

/** Marked events of a ledger that wait for a review, and a decision that may have caused them. */
function waitingIn({ client, mark }: Ledger, bed: TestService): Promise<Waiting> {
  const known = made.get(mark) ?? make();
  made.set(mark, known);
  return known;

  async function make() {
    const desk = await openDesk(bed, client);
    const metadata = { mark };
    const [decision = ''] = await desk.decide({ agent_id: mark, action_type: mark, metadata });
    const happen = () => desk.happen({ source: mark, event_type: mark, metadata });
    const [first, second, third] = [await happen(), await happen(), await happen()];
    const others = [await happen(), await happen(), await happen()];
    await desk.look();
    return { decision, first, second, third, others };
  }
}

const readPage = async (client: Client, query: string) =>
  dataOf(await client.get(`/reviews?${query}`), ReviewPage);

/** What is stored about reviews, of all ledgers or of one. */
async function stored({ service }: TestService, ledgerId: string | null): Promise<string> {
  const [row] = await service.db.query<{ all: string }>(sql`
    with of_ledger as (select ${ledgerId}::uuid as id)
    select json_build_array(
      (select json_agg(s order by s.ledger_id, s.event_id) from event_scores s, of_ledger l
        where l.id is null or s.ledger_id = l.id),
      (select json_agg(r order by r.ledger_id, r.seq) from event_reviews r, of_ledger l
        where l.id is null or r.ledger_id = l.id),
      (select json_agg(k order by k.link_id) from links k, of_ledger l
        where l.id is null or k.ledger_id = l.id),
      (select json_agg(e order by e.event_id) from financial_events e, of_ledger l
        where l.id is null or e.ledger_id = l.id))::text as all`);
  if (row === undefined) throw new Error('the database holds nothing');
  return row.all;
}

/** The call answers 404, as for an unknown id, and writes nothing. */
async function expectUntouched(bed: TestService, call: () => Promise<Answer>): Promise<void> {
  const before = [await contents(bed), await stored(bed, null)];
  expectRefusal(await call(), 'not_found');
  expect([await contents(bed), await stored(bed, null)]).toEqual(before);
}

/** Events of the other ledger are neither listed nor counted, and no decision of it is a candidate. */
async function listsOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [mine, theirs] = [await waitingIn(own, bed), await waitingIn(foreign, bed)];
  const all = await own.client.get('/reviews?limit=500');
  expectNothingOf(foreign, all.text);
  const { decision, first, second, third, others } = theirs;
  for (const id of [decision, first, second, third, ...others]) expect(all.text).not.toContain(id);
  const { reviews, open, next_cursor } = dataOf(all, ReviewPage);
  expect(next_cursor).toBeNull();
  expect(open.reviews).toBe(reviews.length);
  const review = reviews.find(({ financial_event }) => financial_event.id === mine.first);
  const candidates = review?.candidates.map(({ decision_id }) => decision_id);
  expect(candidates).toContain(mine.decision);
  expect((await readPage(own.client, `source=${own.mark}`)).reviews).not.toEqual([]);
  const filtered = await readPage(own.client, `source=${foreign.mark}`);
  expect(filtered).toMatchObject({ reviews: [], open, next_cursor: null });
  const page = await readPage(foreign.client, 'limit=1');
  expect(page.next_cursor).not.toBeNull();
  const stolen = await own.client.get(`/reviews?limit=1&cursor=${page.next_cursor}`);
  expectRefusal(stolen, 'malformed_request');
}

/** Answers of the other ledger are neither listed nor counted. */
async function listsOwnAnswers(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [mine, theirs] = [await waitingIn(own, bed), await waitingIn(foreign, bed)];
  for (const [{ client }, { second }] of [[own, mine] as const, [foreign, theirs] as const]) {
    dataOf(await client.post(`/reviews/${second}`, { skip: true }), ReviewAnswer);
  }
  const listed = await own.client.get('/reviews/answers?limit=500');
  expect(dataOf(listed, GivenAnswerPage).answers).not.toEqual([]);
  expectNothingOf(foreign, listed.text);
  expect(listed.text).toContain(mine.second);
  expect(listed.text).not.toContain(theirs.second);
}

/** Neither the event nor the decision of an answer may be of the other ledger. */
async function answersOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [mine, theirs] = [await waitingIn(own, bed), await waitingIn(foreign, bed)];
  const post = (event: string, body: object) => own.client.post(`/reviews/${event}`, body);
  const causes = [mine, theirs].map(({ decision }) => ({ decision_id: decision }));
  for (const body of [{ none: true }, { skip: true }, ...causes]) {
    await expectUntouched(bed, () => post(theirs.first, body));
  }
  await expectUntouched(bed, () => post(mine.first, { decision_id: theirs.decision }));
  const before = await stored(bed, foreign.scope.ledgerId);
  for (const body of [{ skip: true }, { none: true }]) {
    const answer = await post(mine.second, body);
    expect(dataOf(answer, ReviewAnswer).financial_event_id).toBe(mine.second);
    expectNothingOf(foreign, answer.text);
  }
  const event = mine.others.pop() ?? '';
  const answer = await post(event, { decision_id: mine.decision });
  const { link } = dataOf(answer, ReviewAnswer);
  expect(link).toMatchObject({ decision_id: mine.decision, financial_event_id: event });
  expect(await stored(bed, foreign.scope.ledgerId)).toBe(before);
}

/** An answer of the other ledger stands until that ledger withdraws it. */
async function withdrawsOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [mine, theirs] = [await waitingIn(own, bed), await waitingIn(foreign, bed)];
  for (const [{ client }, { third }] of [[own, mine] as const, [foreign, theirs] as const]) {
    dataOf(await client.post(`/reviews/${third}`, { skip: true }), ReviewAnswer);
  }
  await expectUntouched(bed, () => own.client.delete(`/reviews/${theirs.third}`));
  const before = await stored(bed, foreign.scope.ledgerId);
  const withdraw = async ({ client }: Ledger, { third }: Waiting) =>
    dataOf(await client.delete(`/reviews/${third}`), ReviewAnswer).verdict;
  expect(await withdraw(own, mine)).toBe('withdrawn');
  expect(await stored(bed, foreign.scope.ledgerId)).toBe(before);
  expect(await withdraw(foreign, theirs)).toBe('withdrawn');
}

/** Numbers of models are those of the own ledger. */
async function readsOwnModel(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await waitingIn(own, bed);
  await waitingIn(foreign, bed);
  const path = '/analytics/attribution-model';
  const answer = await own.client.get(path);
  expectNothingOf(foreign, answer.text);
  const newest = dataOf(answer, AttributionModel);
  expect(await stored(bed, own.scope.ledgerId)).toContain(`"model_id":${newest.model}`);
  expect(dataOf(await own.client.get(`${path}?model=${newest.model}`), AttributionModel)).toEqual(
    newest,
  );
  expectRefusal(await own.client.get(`${path}?model=${newest.model + 1}`), 'not_found');
}

/** Audits and answers of the other ledger change no figure. */
async function measuresOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await waitingIn(own, bed);
  await waitingIn(foreign, bed);
  const path = '/analytics/attribution-quality';
  const before = await own.client.get(path);
  expectNothingOf(foreign, before.text);
  const figures = dataOf(before, AttributionQuality);
  expect(figures.audits).toBeGreaterThan(0);
  const theirs = dataOf(await foreign.client.get(path), AttributionQuality);
  const { mark } = foreign;
  const desk = await openDesk(bed, foreign.client);
  const event = await desk.happen({ source: mark, event_type: mark, metadata: { mark } });
  await desk.look();
  dataOf(await foreign.client.post(`/reviews/${event}`, { skip: true }), ReviewAnswer);
  const later = dataOf(await foreign.client.get(path), AttributionQuality);
  // A ledger with many events draws those that it audits, so the answer alone need not count.
  expect(later.by_month).not.toEqual(theirs.by_month);
  expect(dataOf(await own.client.get(path), AttributionQuality)).toEqual(figures);
}
