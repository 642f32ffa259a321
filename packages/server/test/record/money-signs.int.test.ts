import { ActivityPage } from '@decision-ledger/contract/activity';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { Settings } from '@decision-ledger/contract/settings';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent as recordFrom } from '#server/domains/record/financial-events/index';
import { recountEvents } from '#server/domains/record/financial-events/recount';
import { carryLinks, writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/scope';
import { type Client, dataOf, errorOf } from '../support/client.js';
import { bundleOf, check, fingerprintOf, jsonOf } from '../support/exports.js';
import { SCORE } from '../support/link-score.js';
import { event, link, recordDecision, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;
let live: Client;
let scope: Scope;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

async function open(): Promise<void> {
  live = (await bed.organisation()).live;
  scope = await scopeOf(bed, live);
}

type Fields = Readonly<Record<string, unknown>>;

const post = async (eventId: string, fields: Fields) =>
  live.post('/links', link(await recordDecision(live), eventId, fields));

const create = async (eventId: string, fields: Fields): Promise<Link> =>
  dataOf(await post(eventId, fields), Link, 201);

interface Wanted {
  readonly strength: number;
  readonly linkType: Link['link_type'];
  readonly reversal?: boolean;
  readonly label?: 'matched' | 'guessed';
}

/** Suggests links as the engine does, each for a new decision. */
async function suggest(eventId: string, ...wanted: readonly Wanted[]): Promise<Link[]> {
  const suggested = [];
  for (const one of wanted) {
    const decisionId = idToUuid('dec', await recordDecision(live)) ?? '';
    suggested.push({
      ...{ reversal: false, label: 'guessed' as const, reviewPriority: 0.5, ...one, decisionId },
      score: { ...SCORE },
    });
  }
  const event = { eventId: idToUuid('evt', eventId) ?? '', suggested };
  await bed.service.db.transaction((tx) => writeSuggestions(bed.service, tx, scope, [event]));
  const query = `/links?financial_event_id=${eventId}&status=ML_SUGGESTED`;
  return [...dataOf(await live.get(query), LinkPage).links].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const confirm = (id: string, body: Fields | '' = '') => live.post(`/links/${id}/confirm`, body);

/** What the event counts as, and its parts in the order of their links. */
async function money(eventId: string) {
  const uuid = idToUuid('evt', eventId);
  const [counted] = await bed.service.db.query<{ amount: string; waits: boolean }>(sql`
    select counted_amount::text as amount, correlated_at is null as waits
    from financial_events where event_id = ${uuid}`);
  const parts = await bed.service.db.query<{ label: string; amount: string }>(sql`
    select label, amount::text as amount from link_allocations
    where event_id = ${uuid} order by link_id`);
  return {
    counted: counted?.amount,
    waits: counted?.waits,
    parts: parts.map(({ label, amount }) => `${label} ${Number(amount)}`),
  };
}

const lastActivity = async () =>
  dataOf(await live.get('/activity?limit=1'), ActivityPage).activity[0];

describe('The sign of an event', () => {
  beforeAll(open);

  it.for([
    ['payment', '30.00', 'revenue', false, '30.00', 'confirmed 30'],
    ['payment', '-30.00', 'revenue', false, '-30.00', 'confirmed -30'],
    ['refund', '30.00', 'refund', false, '-30.00', 'confirmed -30'],
    ['refund', '-30.00', 'refund', false, '-30.00', 'confirmed -30'],
    ['refund_reversal', '30.00', 'refund', false, '-30.00', 'confirmed -30'],
    ['dispute_won', '30.00', 'loss', true, '30.00', 'confirmed 30'],
    ['dispute_won', '-30.00', 'loss', true, '30.00', 'confirmed 30'],
  ] as const)(
    'A link that a person made decides it: %s of %s as %s',
    async ([event_type, amount, link_type, reversal, counted, part]) => {
      const { id } = await recordEvent(live, { event_type, amount });
      expect(await money(id)).toMatchObject({ counted: amount, parts: [] });
      const made = await create(id, { link_type, reversal, correlation_strength: 1 });
      expect(made).toMatchObject({ link_type, reversal, label: 'confirmed' });
      expect(await money(id)).toMatchObject({ counted, parts: [part] });
      dataOf(await live.delete(`/links/${made.id}`), Link);
      expect(await money(id)).toMatchObject({ counted: amount, parts: [] });
    },
  );

  it('A suggestion does not change it, and takes its share of what the event counts as', async () => {
    const { id } = await recordEvent(live, { event_type: 'refund', amount: '30.00' });
    await suggest(id, { strength: 0.5, linkType: 'refund', label: 'matched' });
    expect(await money(id)).toMatchObject({ counted: '30.00', parts: ['matched 15'] });
  });

  it('A reversal of revenue or of a saving is refused, and so is an opposite link', async () => {
    const { id } = await recordEvent(live);
    const wrong = await post(id, { reversal: true });
    expect(wrong.status).toBe(422);
    expect(Object.keys(errorOf(wrong).details?.fields ?? {})).toEqual(['reversal']);
    const made = await create(id, { link_type: 'revenue' });
    for (const fields of [{ link_type: 'cost' }, { link_type: 'loss' }, { link_type: 'refund' }]) {
      const answer = await post(id, fields);
      expect(answer.status).toBe(409);
      expect(errorOf(answer).message).toContain(made.id);
    }
    await create(id, { link_type: 'saving' });
    await create(id, { link_type: 'loss', reversal: true });
  });

  it('A suggestion that contradicts a link made by a person cannot be confirmed', async () => {
    const { id } = await recordEvent(live);
    const [suggested] = await suggest(id, { strength: 0.5, linkType: 'cost' });
    const made = await create(id, { link_type: 'revenue', correlation_strength: 0.25 });
    const answer = await confirm(suggested?.id ?? '');
    expect(answer.status).toBe(409);
    expect(errorOf(answer).message).toContain(made.id);
    dataOf(await live.delete(`/links/${made.id}`), Link);
    dataOf(await confirm(suggested?.id ?? ''), Link);
    expect(await money(id)).toMatchObject({ counted: '-1250.00', parts: ['confirmed -1250'] });
  });

  it('A corrected amount never loses a link, except one that it makes a contradiction', async () => {
    const { id } = await recordEvent(live, { amount: '10.00' });
    await create(id, { link_type: 'revenue', correlation_strength: 0.5 });
    await create(id, { link_type: 'loss', reversal: true, correlation_strength: 0.5 });
    const carried = async (from: string, amount: string) => {
      const before = idToUuid('evt', from) ?? '';
      const next = await bed.service.db.transaction(async (tx) => {
        const actor = { scope, actor: 'connector' };
        const body = { ...event({ amount }), metadata: {} };
        const made = await recordFrom(bed.service, tx, actor, body, { supersedes: before });
        await carryLinks(bed.service, tx, actor, before, made.event_id);
        return made.event_id;
      });
      return uuidToId('evt', next);
    };
    const second = await carried(id, '20.00');
    expect(await money(second)).toMatchObject({
      counted: '20.00',
      parts: ['confirmed 10', 'confirmed 10'],
    });
    const third = await carried(second, '-20.00');
    expect(await money(third)).toMatchObject({ counted: '-20.00', parts: ['confirmed -10'] });
  });
});

describe('A confirmation', () => {
  beforeAll(open);

  it('It takes the whole event, and deletes the suggestions beside it without rejecting them', async () => {
    const { id } = await recordEvent(live, { amount: '90.00' });
    const [one, other] = await suggest(
      id,
      { strength: 0.6, linkType: 'revenue', label: 'matched' },
      { strength: 0.3, linkType: 'revenue' },
    );
    expect(await money(id)).toMatchObject({ parts: ['matched 54', 'guessed 27'] });
    const confirmed = dataOf(await confirm(other?.id ?? ''), Link);
    expect(confirmed).toMatchObject({
      ...{ status: 'ML_INFERRED', correlation_strength: 1, label: 'confirmed' },
    });
    expect(await money(id)).toMatchObject({ waits: true, parts: ['confirmed 90'] });
    const rival = dataOf(await live.get(`/links/${one?.id}`), Link);
    expect(rival).toMatchObject({ status: 'ML_SUGGESTED', label: null });
    expect(rival.deleted_at).not.toBeNull();
    const { activity } = dataOf(await live.get('/activity?limit=2'), ActivityPage);
    expect(activity).toMatchObject([
      { type: 'link.deleted', subject: one?.id, data: { status: 'ML_SUGGESTED' } },
      {
        ...{ type: 'link.confirmed', subject: other?.id },
        data: { correlation_strength: 1, previous_strength: 0.3, status: 'ML_INFERRED' },
      },
    ]);
    const reviews = await bed.service.db.query<{ verdict: string }>(sql`
      select r.verdict from link_reviews r where r.ledger_id = ${scope.ledgerId}`);
    expect(reviews).toEqual([{ verdict: 'confirmed' }]);
  });

  it('It takes what links of other people leave, and nothing is left for a third', async () => {
    const { id } = await recordEvent(live, { amount: '10.00' });
    await create(id, { correlation_strength: 0.3 });
    const [one, other] = await suggest(
      id,
      { strength: 0.4, linkType: 'saving' },
      { strength: 0.3, linkType: 'revenue' },
    );
    const refused = await confirm(one?.id ?? '', { strength: 0.71 });
    expect(refused.status).toBe(409);
    expect(errorOf(refused).message).toContain('0.7');
    for (const strength of [0, -1, 1.5, '1']) {
      expect((await confirm(one?.id ?? '', { strength })).status).toBe(422);
    }
    const part = dataOf(await confirm(one?.id ?? '', { strength: 0.2 }), Link);
    expect(part.correlation_strength).toBe(0.2);
    expect(await money(id)).toMatchObject({
      parts: ['confirmed 3', 'confirmed 2', 'guessed 3'],
    });
    const rest = dataOf(await confirm(other?.id ?? '', {}), Link);
    expect(rest.correlation_strength).toBe(0.5);
    expect(await money(id)).toMatchObject({
      parts: ['confirmed 3', 'confirmed 2', 'confirmed 5'],
    });
    const [late] = await suggest(id, { strength: 0.1, linkType: 'revenue' });
    const none = await confirm(late?.id ?? '');
    expect(none.status).toBe(409);
    expect(errorOf(none).message).toContain('whole event');
  });

  it('Deleting it gives the event back to the engine', async () => {
    const { id } = await recordEvent(live);
    const [one] = await suggest(id, { strength: 0.6, linkType: 'revenue' });
    dataOf(await confirm(one?.id ?? ''), Link);
    await bed.service.db.query(sql`update financial_events set correlated_at = now()
      where event_id = ${idToUuid('evt', id)}`);
    dataOf(await live.delete(`/links/${one?.id}`), Link);
    expect(await money(id)).toMatchObject({ waits: true, counted: '1250.00', parts: [] });
  });

  it('A bundle with confirmed, displaced and reversed links verifies', async () => {
    const { id } = await recordEvent(live);
    const [one] = await suggest(
      id,
      { strength: 0.2, linkType: 'loss', reversal: true },
      { strength: 0.7, linkType: 'revenue' },
    );
    dataOf(await confirm(one?.id ?? ''), Link);
    await create(id, { link_type: 'cost', reversal: true, correlation_strength: 0.1 });
    const bundle = await bundleOf(bed, live);
    const links = jsonOf<Link[]>(bundle, 'links.json');
    expect(links.filter(({ reversal }) => reversal)).toHaveLength(2);
    expect(links.find(({ id: own }) => own === one?.id)).toMatchObject({ correlation_strength: 1 });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(live) });
    expect(Object.values(report.verdicts).flatMap(({ findings }) => findings)).toEqual([]);
  });
});

describe('The parts of an event', () => {
  beforeAll(open);

  it('Parts and remainder sum to the counted amount exactly, and no part exceeds it', async () => {
    const amount = fc
      .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat({ max: 999_999_999_999 }))
      .map(([head, tail]) => `${head}.${String(tail).padStart(12, '0')}`);
    const strength = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0, 1 / 3, 0.1, 1, 1e-9),
    );
    const decisions = await Promise.all(Array.from({ length: 6 }, () => recordDecision(live)));
    await fc.assert(
      fc.asyncProperty(
        amount,
        fc.array(strength, { minLength: 1, maxLength: 6 }),
        async (of, all) => {
          const { id } = await recordEvent(live, { amount: of });
          for (const [index, correlation_strength] of all.entries()) {
            const body = link(decisions[index] ?? '', id, { correlation_strength });
            dataOf(await live.post('/links', body), Link, 201);
          }
          const [sums] = await bed.service.db.query<{
            off: string;
            digits: number;
            over: number;
          }>(sql`
          select (e.counted_amount - sum(a.amount))::text as off, max(scale(a.amount)) as digits,
            count(*) filter (where abs(a.amount) > abs(e.counted_amount)
              or a.amount * e.counted_amount < 0) as over
          from financial_events e join link_allocations a using (ledger_id, event_id)
          where e.event_id = ${idToUuid('evt', id)} group by e.counted_amount`);
          expect(sums).toMatchObject({ digits: 12, over: 0 });
          const taken = all.reduce((sum, one) => sum + one, 0);
          if (taken > 1.000001) expect(Number(sums?.off)).toBe(0);
          if (taken < 0.999999) {
            const left = Number(of) * (1 - taken);
            expect(Math.abs(Number(sums?.off) - left)).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: 40, seed: 11 },
    );
  });
});

describe('A change of the settings', () => {
  beforeAll(open);

  const set = async (attribution: Fields) =>
    dataOf(await live.patch('/settings', { attribution }), Settings);
  const recount = () => recountEvents(bed.service, scope, new AbortController().signal);
  const waiting = async () => {
    const [row] = await bed.service.db.query<{ jobs: number }>(sql`
      select count(*) as jobs from pgboss.job where name = 'money-signs' and state = 'created'
        and data ->> 'ledger_id' = ${scope.ledgerId}`);
    return row?.jobs;
  };

  it('Sources declared unsigned are counted again by one job, and human links still decide', async () => {
    const fields = { source: 'adyen', event_type: 'REFUND', amount: '30.00' };
    const plain = await recordEvent(live, fields);
    const decided = await recordEvent(live, fields);
    await create(decided.id, { link_type: 'revenue', correlation_strength: 1 });
    const shared = await recordEvent(live, fields);
    await suggest(shared.id, { strength: 0.5, linkType: 'revenue', label: 'matched' });
    await bed.service.db.query(sql`update financial_events set correlated_at = now()`);
    const other = await recordEvent(live, { ...fields, source: 'till' });
    expect(await waiting()).toBe(0);
    await set({ half_life_hours: 71 });
    expect(await waiting()).toBe(0);
    await set({ unsigned_sources: ['adyen', 'none'] });
    await set({ unsigned_sources: ['adyen'] });
    expect(await waiting()).toBe(1);
    expect(await money(plain.id)).toMatchObject({ counted: '30.00' });
    expect(await recount()).toBe(true);
    expect(await money(plain.id)).toMatchObject({ counted: '-30.00', waits: false });
    expect(await money(decided.id)).toMatchObject({ counted: '30.00' });
    // Its suggestion is of the wrong type now, so the engine looks at it again.
    expect(await money(shared.id)).toMatchObject({
      ...{ counted: '-30.00', waits: true, parts: ['matched -15'] },
    });
    expect(await money(other.id)).toMatchObject({ counted: '30.00' });
    expect(await lastActivity()).toMatchObject({
      type: 'financial_event.recounted',
      data: { financial_event_ids: [plain.id, shared.id].sort() },
    });
    const before = await lastActivity();
    await recount();
    expect(await lastActivity()).toEqual(before);
    const late = await recordEvent(live, fields);
    expect(await money(late.id)).toMatchObject({ counted: '-30.00' });
    await set({ unsigned_sources: null });
    await recount();
    for (const { id } of [plain, shared, late]) {
      expect(await money(id)).toMatchObject({ counted: '30.00' });
    }
  });

  it('The rows are visible, own rows come first, and an impossible reversal is refused', async () => {
    const { attribution } = dataOf(await live.get('/settings'), Settings);
    expect(attribution.link_types).toEqual([]);
    expect(attribution.default_link_types).toContainEqual({
      ...{ words: ['chargeback', 'won'], link_type: 'loss', reversal: true },
    });
    const row = { words: ['cash'], link_type: 'revenue', reversal: true };
    const refused = await live.patch('/settings', { attribution: { link_types: [row] } });
    expect(refused.status).toBe(422);
    const named = Object.keys(errorOf(refused).details?.fields ?? {});
    expect(named).toEqual(['attribution.link_types[0].reversal']);
    for (const words of [[], ['Two words'], ['UPPER'], ['a.b']]) {
      const link_types = [{ words, link_type: 'cost' }];
      expect((await live.patch('/settings', { attribution: { link_types } })).status).toBe(422);
    }
    const { attribution: changed } = await set({
      link_types: [{ words: ['rückzahlung'], link_type: 'refund' }],
      unsigned_sources: ['bank'],
    });
    expect(changed.link_types).toHaveLength(1);
    const fields = { source: 'bank', event_type: 'Rückzahlung Kunde', amount: '5.00' };
    expect(await money((await recordEvent(live, fields)).id)).toMatchObject({ counted: '-5.00' });
  });
});
