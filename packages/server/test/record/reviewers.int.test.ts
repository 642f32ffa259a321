import { Me, OpenedSession } from '@decision-ledger/contract/access';
import { ActivityChainVerification, ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import { ReviewAnswer } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal } from '../support/client.js';
import { recordEvent, suggest } from '../support/money.js';
import {
  contents,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;
let ada: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
  const opened = await org.live.post('/sessions', { name: 'Ada Lovelace' });
  ada = bed.client(dataOf(opened, OpenedSession, 201).token);
});
afterAll(() => bed.close());

const BY_SESSION = { name: 'Ada Lovelace', source: 'session' };
const SELF_DECLARED = { name: 'Grace Hopper', source: 'self_declared' };

/** A suggested link: its id, and those of its decision and event. */
async function suggestion() {
  const recorded = dataOf(await org.live.post('/decisions', decision()), DecisionReceipt, 201);
  const event = await recordEvent(org.live);
  const ids = { decision_id: recorded.decision_id, financial_event_id: event.id };
  const link = await suggest(bed, await scopeOf(bed, org.live), ids);
  return { ...ids, link };
}

/** The reviewer that the last record of activity about an object names. */
async function reviewerOf(subject: string): Promise<unknown> {
  const page = dataOf(await org.live.get(`/activity?subject=${subject}`), ActivityPage);
  return page.activity[0]?.data?.reviewer;
}

describe('Reviewers of links', () => {
  it.for(['confirm', 'reject'] as const)(
    'The person of a session is recorded as the reviewer of a link: %s',
    async (verdict) => {
      const { link } = await suggestion();
      const reviewed = dataOf(await ada.post(`/links/${link}/${verdict}`, ''), Link);
      expect(reviewed.reviewed_by).toMatch(/^Ada Lovelace \(ses_/);
      expect(await reviewerOf(link)).toEqual(BY_SESSION);
      const verified = await org.live.get('/activity/chain/verify');
      expect(dataOf(verified, ActivityChainVerification).is_valid).toBe(true);
    },
  );

  it.for(['confirm', 'reject'] as const)(
    'The person that a body names is recorded as self-declared: %s',
    async (verdict) => {
      const { link } = await suggestion();
      const body = { reviewer: 'Grace Hopper' };
      dataOf(await org.live.post(`/links/${link}/${verdict}`, body), Link);
      expect(await reviewerOf(link)).toEqual(SELF_DECLARED);
    },
  );

  it('A key alone leaves no reviewer', async () => {
    const { link } = await suggestion();
    dataOf(await org.live.post(`/links/${link}/confirm`, { strength: 0.5 }), Link);
    expect(await reviewerOf(link)).toBeUndefined();
  });

  it('A session that names another reviewer is refused, and nothing changes', async () => {
    const { link, financial_event_id } = await suggestion();
    const before = await contents(bed);
    for (const path of [`/links/${link}/confirm`, `/links/${link}/reject`]) {
      const refused = await ada.post(path, { reviewer: 'Grace Hopper' });
      expectRefusal(refused, 'validation_error', 'reviewer');
    }
    const answer = await ada.post(`/reviews/${financial_event_id}`, {
      none: true,
      reviewer: 'Grace Hopper',
    });
    expectRefusal(answer, 'validation_error', 'reviewer');
    expect(await contents(bed)).toBe(before);
  });

  it.for(['', ' ', 'a\nb', 'x'.repeat(201)])('The name %j is refused', async (reviewer) => {
    const { link } = await suggestion();
    const refused = await org.live.post(`/links/${link}/confirm`, { reviewer });
    expectRefusal(refused, 'validation_error', 'reviewer');
  });
});

describe('Reviewers of events', () => {
  it('The reviewer is recorded for a cause that was suggested, and for one that was not', async () => {
    const first = await suggestion();
    const { decision_id } = first;
    dataOf(await ada.post(`/reviews/${first.financial_event_id}`, { decision_id }), ReviewAnswer);
    expect(await reviewerOf(first.link)).toEqual(BY_SESSION);
    const event = await recordEvent(org.live);
    const body = { decision_id, reviewer: 'Grace Hopper' };
    const { link } = dataOf(await org.live.post(`/reviews/${event.id}`, body), ReviewAnswer);
    expect(await reviewerOf(link?.id ?? '')).toEqual(SELF_DECLARED);
  });

  it('The reviewer is recorded for none, for each link that it rejects, and for its withdrawal', async () => {
    const { link, financial_event_id } = await suggestion();
    dataOf(await ada.post(`/reviews/${financial_event_id}`, { none: true }), ReviewAnswer);
    expect(await reviewerOf(link)).toEqual(BY_SESSION);
    expect(await reviewerOf(financial_event_id)).toEqual(BY_SESSION);
    dataOf(await ada.delete(`/reviews/${financial_event_id}`), ReviewAnswer);
    expect(await reviewerOf(financial_event_id)).toEqual(BY_SESSION);
  });
});

describe('The description of a caller', () => {
  it('A key and a session are described with the organisation, the mode, permissions and limits', async () => {
    const key = dataOf(await org.live.get('/me'), Me);
    expect(key).toMatchObject({ organisation: { org_id: org.id }, mode: 'live', session: null });
    expect(key.limits).toMatchObject({ batch_decisions: 100, page_max: 500 });
    expect(key.limits.rate_limits.ingest_per_second).toBe(1_000_000);
    const session = dataOf(await ada.get('/me'), Me);
    expect(session).toMatchObject({ ...key, session: { name: 'Ada Lovelace' } });
    expect(dataOf(await org.test.get('/me'), Me)).toMatchObject({
      organisation: key.organisation,
      mode: 'test',
      limits: key.limits,
    });
  });
});
