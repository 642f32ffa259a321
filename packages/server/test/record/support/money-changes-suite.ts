import { IssuedKey } from '@decision-ledger/contract/access';
import {
  type Activity,
  ActivityChainVerification,
  ActivityPage,
} from '@decision-ledger/contract/chain';
import { FinancialEvent, RelatedEvent } from '@decision-ledger/contract/financial-event';
import { Link, LinkInDetail } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Client, dataOf, errorOf, expectRefusal } from '../../support/client.js';
import { SCORE } from '../../support/link-score.js';
import {
  event,
  link,
  recordDecision,
  recordEvent,
  recordLink,
  recordPair,
  suggest,
} from '../../support/money.js';
import {
  contents,
  type Engine,
  type Instance,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

let bed: TestService;
let other: Instance;
let org: Organisation;
/** A key with only the needed permissions, and another process on the same database. */
let keyId: string;
let client: Client;
let second: Client;

/** Changes of financial events and links, and how they are recorded. */
export function moneyChangesSuite(engine: Engine): void {
  describe(`Changes of money on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      org = await bed.organisation();
      const body = { name: 'writer', permissions: ['ingest', 'read', 'review', 'manage'] };
      const issued = dataOf(await org.live.post('/keys', body), IssuedKey, 201);
      keyId = issued.key_id;
      client = bed.client(issued.key);
      second = other.client(issued.key);
    });
    afterAll(async () => {
      await bed.close();
    });

    describe('Financial events', eventChanges);
    describe('Links', linkChanges);
    describe('Suggested links', reviews);
    describe('Concurrency', races);
    describe('Atomicity', chained);
  });
}

async function activity(): Promise<Activity[]> {
  const page = dataOf(await org.live.get('/activity?limit=500'), ActivityPage);
  return page.activity.filter(({ type }) => /^(financial_event|link)\./.test(type)).reverse();
}

async function expectChained(...expected: object[]): Promise<void> {
  const told = (await activity()).map(({ type, actor, subject, data }) => ({
    ...{ type, actor, subject },
    ...(data !== undefined && { data }),
  }));
  expect(told).toEqual(expected);
  const verified = await org.live.get('/activity/chain/verify');
  expect(dataOf(verified, ActivityChainVerification)).toMatchObject({ is_valid: true });
}

/** A link without its related records. */
async function readLink(id: string): Promise<Link> {
  const {
    other_links: _others,
    other_links_next_cursor: _cursor,
    waterfall: _waterfall,
    ...link
  } = dataOf(await client.get(`/links/${id}`), LinkInDetail);
  return link;
}

const review = (id: string, word: 'confirm' | 'reject', by = client) =>
  by.post(`/links/${id}/${word}`, '');
const suggestion = async () => suggest(bed, await scopeOf(bed, client), await recordPair(client));

function eventChanges(): void {
  it('A new financial event is recorded in the activity chain with all of its fields', async () => {
    const body = event({ metadata: { b: 1, a: [] }, description: 'd', external_id: 'x' });
    const { id } = await recordEvent(client, body);
    const type = 'financial_event.recorded';
    await expectChained({ type, actor: keyId, subject: id, data: { ...body, origin: null } });
  });

  it('A deleted financial event stays readable, is listed only on request, and is recorded once', async () => {
    const made = await recordEvent(client);
    const gone = dataOf(await client.delete(`/financial-events/${made.id}`), FinancialEvent);
    expect(gone).toEqual({ ...made, deleted_at: expect.any(String) });
    const after = await contents(bed);
    for (const by of [client, second]) {
      expect(dataOf(await by.delete(`/financial-events/${made.id}`), FinancialEvent)).toEqual(gone);
    }
    expect(await contents(bed)).toBe(after);
    const alone = { lead: made.id, reports: [made.id], relations: [], parts: null };
    expect(dataOf(await client.get(`/financial-events/${made.id}`), RelatedEvent)).toEqual({
      ...gone,
      ...{ kind: 'other', standing: 'deleted' },
      movement: alone,
    });
    expect((await client.get('/financial-events')).text).not.toContain(made.id);
    const all = await client.get('/financial-events?include_deleted=true');
    expect(all.text).toContain(made.id);
    await expectChained(
      {
        ...{ type: 'financial_event.recorded', actor: keyId, subject: made.id },
        data: { ...event(), origin: null },
      },
      { type: 'financial_event.deleted', actor: keyId, subject: made.id },
    );
    const [, told] = await activity();
    expect(told?.created_at).toBe(gone.deleted_at);
  });

  it('A deleted financial event keeps its links and accepts no new one', async () => {
    const { financial_event_id, ...made } = await recordLink(client);
    dataOf(await client.delete(`/financial-events/${financial_event_id}`), FinancialEvent);
    expect((await readLink(made.id)).deleted_at).toBeNull();
    const before = await contents(bed);
    const body = link(await recordDecision(client), financial_event_id);
    const afterDecision = await contents(bed);
    expect(afterDecision).not.toBe(before);
    const answer = await client.post('/links', body, { 'idempotency-key': 'late' });
    expectRefusal(answer, 'invalid_state');
    expect(errorOf(answer).message).toContain('deleted');
    expect(await contents(bed)).toBe(afterDecision);
  });
}

function linkChanges(): void {
  it('A new link is recorded in the activity chain with all of its fields, its key and its status', async () => {
    const pair = await recordPair(client);
    const body = link(pair.decision_id, pair.financial_event_id, { notes: 'seen by hand' });
    const made = dataOf(await client.post('/links', body), Link, 201);
    expect(made).toMatchObject({ ...body, status: 'CONFIRMED', created_by: keyId });
    const data = { ...body, reversal: false, status: 'CONFIRMED' };
    await expectChained(expect.objectContaining({ type: 'financial_event.recorded' }), {
      type: 'link.created',
      actor: keyId,
      subject: made.id,
      data,
    });
  });

  it('A deleted link stays readable, is listed only on request, and is recorded once', async () => {
    const made = await recordLink(client);
    const gone = dataOf(await client.delete(`/links/${made.id}`), Link);
    expect(gone).toEqual({ ...made, deleted_at: expect.any(String), label: null });
    const after = await contents(bed);
    for (const by of [client, second]) {
      expect(dataOf(await by.delete(`/links/${made.id}`), Link)).toEqual(gone);
    }
    expect(await contents(bed)).toBe(after);
    expect(await readLink(made.id)).toEqual(gone);
    expect((await client.get('/links')).text).not.toContain(made.id);
    expect((await client.get('/links?include_deleted=true')).text).toContain(made.id);
    const told = (await activity()).filter(({ type }) => type === 'link.deleted');
    const { decision_id, financial_event_id } = made;
    const data = { decision_id, financial_event_id, status: 'CONFIRMED' };
    expect(told).toMatchObject([{ actor: keyId, subject: made.id, data }]);
  });

  it('One decision, event and type have at most one link until it is deleted', async () => {
    const made = await recordLink(client);
    const { decision_id, financial_event_id } = made;
    const body = link(decision_id, financial_event_id, { correlation_strength: 1 });
    const before = await contents(bed);
    const again = await second.post('/links', body);
    expectRefusal(again, 'conflict');
    expect(errorOf(again).message).toContain(made.id);
    expect(await contents(bed)).toBe(before);
    const otherType = await client.post('/links', { ...body, link_type: 'saving' });
    dataOf(otherType, Link, 201);
    dataOf(await client.delete(`/links/${made.id}`), Link);
    const renewed = dataOf(await client.post('/links', body), Link, 201);
    expect(renewed.id).not.toBe(made.id);
    expectRefusal(await client.post('/links', body), 'conflict');
  });

  it('A link conflicts with a pending suggestion but not with a rejected one', async () => {
    const id = await suggestion();
    const { decision_id, financial_event_id } = await readLink(id);
    const body = link(decision_id, financial_event_id, { link_type: 'saving' });
    expectRefusal(await client.post('/links', body), 'conflict');
    dataOf(await review(id, 'reject'), Link);
    dataOf(await client.post('/links', body), Link, 201);
  });
}

function reviews(): void {
  it.for([
    ['confirm', 'ML_INFERRED', 'link.confirmed'],
    ['reject', 'REJECTED', 'link.rejected'],
  ] as const)('A request to %s a suggestion makes it %s', async ([word, status, type]) => {
    const id = await suggestion();
    const before = await readLink(id);
    expect(before).toMatchObject({ status: 'ML_SUGGESTED', score: SCORE });
    const after = dataOf(await review(id, word), Link);
    const [told] = (await activity()).slice(-1);
    const { decision_id, financial_event_id } = before;
    const data = { decision_id, financial_event_id, status };
    expect(told).toMatchObject({ type, actor: keyId, subject: id, data });
    expect(after).toEqual({
      ...{ ...before, status, reviewed_by: keyId, reviewed_at: told?.created_at },
      deleted_at: word === 'reject' ? told?.created_at : null,
      ...(word === 'reject' ? { label: null } : { label: 'confirmed', correlation_strength: 1 }),
    });
    expect(await readLink(id)).toEqual(after);
    const listed = await client.get('/links?status=ML_SUGGESTED');
    expect(listed.text).not.toContain(id);
    expect((await client.get('/links')).text.includes(id)).toBe(word === 'confirm');
    expect((await client.get('/links?include_deleted=true')).text).toContain(id);
    const settled = await contents(bed);
    for (const again of ['confirm', 'reject'] as const) {
      expectRefusal(await review(id, again, second), 'invalid_state');
    }
    expect(await contents(bed)).toBe(settled);
  });

  it('A suggestion may be deleted at any time, which is not a review', async () => {
    const id = await suggestion();
    const gone = dataOf(await client.delete(`/links/${id}`), Link);
    expect(gone.status).toBe('ML_SUGGESTED');
    expect(gone).not.toHaveProperty('reviewed_by');
    expect((await client.get('/links?status=REJECTED')).text).not.toContain(id);
    const confirmed = await suggestion();
    dataOf(await review(confirmed, 'confirm'), Link);
    expect(dataOf(await client.delete(`/links/${confirmed}`), Link).status).toBe('ML_INFERRED');
  });
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

function races(): void {
  it('Concurrent requests for the same link make one, and the other is a conflict', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = await recordPair(client);
      const body = link(pair.decision_id, pair.financial_event_id);
      const answers = await Promise.all([client, second].map((by) => by.post('/links', body)));
      expect(statuses(answers)).toEqual([201, 409]);
      expectRefusal(answers.find(({ status }) => status === 409) ?? fail(), 'conflict');
    }
    expect((await activity()).filter(({ type }) => type === 'link.created')).toHaveLength(5);
  });

  it('Concurrent confirmations and rejections let exactly one succeed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await suggestion();
      const words = (['confirm', 'reject', 'confirm', 'reject'] as const).map((word, n) =>
        review(id, word, n < 2 ? client : second),
      );
      const answers = await Promise.all(words);
      expect(statuses(answers)).toEqual([200, 409, 409, 409]);
      const won = dataOf(answers.find(({ status }) => status === 200) ?? fail(), Link);
      expect(await readLink(id)).toEqual(won);
      const told = (await activity()).filter(({ subject }) => subject === id);
      expect(told.map(({ data }) => data?.status)).toEqual([won.status]);
    }
  });

  it('Concurrent deletions are recorded once', async () => {
    const made = await recordLink(client);
    for (const path of [`/links/${made.id}`, `/financial-events/${made.financial_event_id}`]) {
      const answers = await Promise.all(
        [client, second, client, second].map((by) => by.delete(path)),
      );
      expect(statuses(answers)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text.split('"meta"')[0])).size).toBe(1);
    }
    const told = (await activity()).filter(({ type }) => type.endsWith('.deleted'));
    expect(told).toHaveLength(2);
  });

  it('Concurrent linking and deletion of an event leave no link newer than the deletion', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = await recordPair(client);
      const body = link(pair.decision_id, pair.financial_event_id);
      const [made] = await Promise.all([
        client.post('/links', body),
        second.delete(`/financial-events/${pair.financial_event_id}`),
      ]);
      expect([201, 409]).toContain(made.status);
      const about = (await activity()).filter(
        ({ subject, data }) =>
          subject === pair.financial_event_id ||
          data?.financial_event_id === pair.financial_event_id,
      );
      const types = about.map(({ type }) => type.split('.')[1]);
      expect(types).toEqual(
        made.status === 201 ? ['recorded', 'created', 'deleted'] : ['recorded', 'deleted'],
      );
    }
  });
}

function fail(): never {
  throw new Error('none of the answers is the one that was looked for');
}

/** A request and the table that it writes. */
const CHANGES: [name: string, table: string, make: () => Promise<() => Promise<Answer>>][] = [
  [
    'POST /financial-events',
    'financial_events',
    async () => () => client.post('/financial-events', event()),
  ],
  [
    'DELETE /financial-events/{id}',
    'financial_events',
    async () => {
      const { id } = await recordEvent(client);
      return () => client.delete(`/financial-events/${id}`);
    },
  ],
  [
    'POST /links',
    'links',
    async () => {
      const pair = await recordPair(client);
      return () => client.post('/links', link(pair.decision_id, pair.financial_event_id));
    },
  ],
  [
    'DELETE /links/{id}',
    'links',
    async () => {
      const { id } = await recordLink(client);
      return () => client.delete(`/links/${id}`);
    },
  ],
  ...(['confirm', 'reject'] as const).map((word): (typeof CHANGES)[number] => [
    `POST /links/{id}/${word}`,
    'links',
    async () => {
      const id = await suggestion();
      return () => review(id, word);
    },
  ]),
];

function chained(): void {
  it.for(CHANGES)(
    'A change and its record are written together or not at all: %s',
    async ([, table, make]) => {
      const change = await make();
      for (const broken of [table, 'activity']) {
        const before = await contents(bed);
        await withOwner(bed, (owner) =>
          owner.query(`revoke insert, update on ${broken} from ledger_app`),
        );
        try {
          await revokeColumns(broken, 'revoke');
          expect((await change()).status).toBeGreaterThanOrEqual(500);
        } finally {
          await withOwner(bed, (owner) => owner.query(`grant insert on ${broken} to ledger_app`));
          await revokeColumns(broken, 'grant');
        }
        expect(await contents(bed)).toBe(before);
      }
      expect((await change()).status).toBeLessThan(300);
      const verified = await org.live.get('/activity/chain/verify');
      expect(dataOf(verified, ActivityChainVerification).is_valid).toBe(true);
    },
  );
}

const COLUMNS: Readonly<Record<string, string>> = {
  financial_events:
    'deleted_at, superseded_by, kind, standing, counted_amount, uncounted_amount, may_include_tax',
  links: 'correlation_strength, status, score, reviewed_by, reviewed_at, deleted_at, label',
};

async function revokeColumns(table: string, word: 'revoke' | 'grant'): Promise<void> {
  const columns = COLUMNS[table];
  if (columns === undefined) return;
  const end = word === 'revoke' ? 'from' : 'to';
  await withOwner(bed, (owner) =>
    owner.query(`${word} update (${columns}) on ${table} ${end} ledger_app`),
  );
}
