import { OpenedSession } from '@decision-ledger/contract/access';
import { Link, MadeLink } from '@decision-ledger/contract/link';
import { GivenAnswerPage, ReviewAnswer, ReviewPage } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../../support/client.js';
import { contents, openTestService, type TestService } from '../../support/service.js';
import { type Desk, openDesk } from '../../support/suggestions-desk.js';

let bed: TestService;
let desk: Desk;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  desk = await openDesk(bed);
});
afterAll(() => bed.close());

async function person(name: string): Promise<Client> {
  const opened = await desk.client.post('/sessions', { name });
  return bed.client(dataOf(opened, OpenedSession, 201).token);
}

/** What was answered, newest first: by default in all time, because the clock of the tests is not that of the engine. */
const answersOf = async (client: Client, query = 'start=2000-01-01') =>
  dataOf(await client.get(`/reviews/answers?${query}`), GivenAnswerPage);

const openOf = async () =>
  dataOf(await desk.client.get('/reviews?limit=1'), ReviewPage).open.reviews;

/** Events with a suggested decision each, scored. */
async function cases(count: number): Promise<{ event: string; decision: string }[]> {
  const made: { event: string; decision: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const metadata = { order_id: `ORD-88${n}41` };
    const [decision = ''] = await desk.decide({ metadata });
    made.push({ decision, event: await desk.happen({ metadata, amount: `${40 + n}.25` }) });
  }
  await desk.look();
  return made;
}

const say = async (client: Client, event: string | undefined, body: object) =>
  dataOf(await client.post(`/reviews/${event}`, body), ReviewAnswer);

describe('What people answered', () => {
  it('Answers are counted by person, in all sessions, and for everybody, and each event once', async () => {
    const [first, second, third, fourth] = await cases(4);
    const ada = await person('Ada');
    const grace = await person('Grace (ses_x');
    await say(ada, first?.event, { decision_id: first?.decision });
    await say(ada, second?.event, { none: true });
    await say(ada, third?.event, { skip: true });
    await say(grace, fourth?.event, { decision_id: fourth?.decision, strength: 0.5 });
    const again = await person('Ada');
    const { answers, decided } = await answersOf(again);
    expect(answers.map(({ verdict, is_own }) => [verdict, is_own])).toEqual([
      ['cause', false],
      ['skipped', true],
      ['none', true],
      ['cause', true],
    ]);
    expect(decided).toEqual({
      own: { events: 2, sums: [{ currency: 'USD', amount: '81.5' }] },
      all: { events: 3, sums: [{ currency: 'USD', amount: '124.75' }] },
    });
    expect((await answersOf(grace, 'start=2000-01-01&own=true')).answers).toHaveLength(1);
    expect((await answersOf(await person('Grace'))).decided.own.events).toBe(0);
    expect((await answersOf(ada, 'start=2000-01-01&end=2000-01-02')).answers).toEqual([]);
    const page = await answersOf(ada, 'start=2000-01-01&limit=3');
    const rest = await answersOf(ada, `start=2000-01-01&limit=3&cursor=${page.next_cursor}`);
    expect([...page.answers, ...rest.answers]).toEqual(answers);
    expect(rest.next_cursor).toBeNull();
  });

  it('Links of a key are no answers, those that a person makes are', async () => {
    const [one] = await cases(1);
    const [other = ''] = await desk.decide({});
    await desk.link(other, one?.event ?? '', { correlation_strength: 0.2 });
    expect((await answersOf(desk.client)).answers).toEqual([]);
    const ada = await person('Ada');
    const body = {
      ...{ decision_id: one?.decision, financial_event_id: one?.event, link_type: 'revenue' },
      ...{ correlation_strength: 0.3, attribution_method: 'manual' },
    };
    await desk.client.post(`/reviews/${one?.event}`, { skip: true });
    const made = dataOf(await ada.post('/links', body), Link, 201);
    const [answer] = (await answersOf(ada, 'start=2000-01-01&own=true')).answers;
    expect(answer).toMatchObject({ verdict: 'cause', links: [made.id], is_own: true });
  });

  it('Whatever was said is taken back with the links that the answer names, and the event is open again at once', async () => {
    const [first, second, third] = await cases(3);
    const ada = await person('Ada');
    const before = await openOf();
    await say(ada, first?.event, { decision_id: first?.decision });
    await say(ada, second?.event, { none: true });
    await say(ada, third?.event, { skip: true });
    // A confirmed event is scored again before it is taken back.
    await desk.look();
    expect(await openOf()).toBe(before - 3);
    const { answers } = await answersOf(ada);
    expect(answers.map(({ links }) => links.length)).toEqual([0, 1, 1]);
    for (const [at, { verdict, links, financial_event_id: id }] of answers.entries()) {
      for (const link of links) await desk.remove(link);
      if (verdict !== 'cause') {
        dataOf(await ada.delete(`/reviews/${id}`), ReviewAnswer);
      }
      const page = await answersOf(ada);
      expect(page.answers).toHaveLength(2 - at);
      expect(page.open.reviews).toBe(before - 2 + at);
    }
    expect((await answersOf(ada)).decided.all).toEqual({ events: 0, sums: [] });
    await desk.look();
    expect(await openOf()).toBe(before);
  });

  it('A rejection by itself is no part of a later answer about the event', async () => {
    const [one] = await cases(1);
    const [link] = await desk.suggested(one?.event ?? '');
    await desk.review(link?.id ?? '', 'reject');
    await say(desk.client, one?.event, { none: true });
    const { answers } = await answersOf(desk.client);
    expect(answers.map(({ verdict, links }) => [verdict, links])).toEqual([
      ['none', []],
      ['rejected', [link?.id]],
    ]);
  });
});

describe('A dry run of a link', () => {
  it('It shows the links of the event as they would be, writes nothing, and checks as the request does', async () => {
    const [one] = await cases(1);
    const [other = ''] = await desk.decide({});
    const body = {
      ...{ decision_id: other, financial_event_id: one?.event, link_type: 'revenue' },
      ...{ correlation_strength: 0.75, attribution_method: 'manual', notes: 'by hand' },
    };
    const before = await contents(bed);
    const tried = dataOf(await desk.client.post('/links?dry_run=true', body), MadeLink);
    expect(await contents(bed)).toBe(before);
    const made = dataOf(await desk.client.post('/links', body), Link, 201);
    expect({ ...tried, id: made.id, created_at: made.created_at }).toMatchObject(made);
    const links = await desk.links(`&financial_event_id=${one?.event}`);
    const shown = (all: readonly Link[] | undefined) =>
      all?.map(({ status, correlation_strength }) => [status, correlation_strength]).sort();
    expect(shown(tried.event_links)).toEqual(shown(links));
    const twice = await desk.client.post('/links?dry_run=true', body);
    expectRefusal(twice, 'conflict');
    const wrong = { ...body, correlation_strength: 2 };
    const refused = await desk.client.post('/links?dry_run=true', wrong);
    expectRefusal(refused, 'validation_error', 'correlation_strength');
  });
});
