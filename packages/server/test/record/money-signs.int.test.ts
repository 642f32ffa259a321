import { ActivityPage } from '@decision-ledger/contract/chain';
import { Link } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent as recordFrom } from '#server/domains/record/financial-events/index';
import { carryLinks } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { dataOf, errorOf } from '../support/client.js';
import {
  bundleOf,
  CONSISTENT,
  check,
  fingerprintOf,
  jsonOf,
  verdictsOf,
} from '../support/exports.js';
import { event, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { openSigns } from './support/signs.js';

let bed: TestService;
let ledger: Awaited<ReturnType<typeof openSigns>>;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

describe('The sign of an event', () => {
  beforeAll(async () => {
    ledger = await openSigns(bed);
  });

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
      const { id } = await recordEvent(ledger.live, { event_type, amount });
      expect(await ledger.money(id)).toMatchObject({ counted: amount, parts: [] });
      const made = await ledger.create(id, { link_type, reversal, correlation_strength: 1 });
      expect(made).toMatchObject({ link_type, reversal, label: 'confirmed' });
      expect(await ledger.money(id)).toMatchObject({ counted, parts: [part] });
      dataOf(await ledger.live.delete(`/links/${made.id}`), Link);
      expect(await ledger.money(id)).toMatchObject({ counted: amount, parts: [] });
    },
  );

  it('A suggestion does not change it, and takes its share of what the event counts as', async () => {
    const { id } = await recordEvent(ledger.live, { event_type: 'refund', amount: '30.00' });
    await ledger.suggest(id, { strength: 0.5, linkType: 'refund', label: 'matched' });
    expect(await ledger.money(id)).toMatchObject({ counted: '30.00', parts: ['matched 15'] });
  });

  it('A reversal of revenue or of a saving is refused, and so is an opposite link', async () => {
    const { id } = await recordEvent(ledger.live);
    const wrong = await ledger.post(id, { reversal: true });
    expect(wrong.status).toBe(422);
    expect(Object.keys(errorOf(wrong).details?.fields ?? {})).toEqual(['reversal']);
    const made = await ledger.create(id, { link_type: 'revenue' });
    for (const fields of [{ link_type: 'cost' }, { link_type: 'loss' }, { link_type: 'refund' }]) {
      const answer = await ledger.post(id, fields);
      expect(answer.status).toBe(409);
      expect(errorOf(answer).message).toContain(made.id);
    }
    await ledger.create(id, { link_type: 'saving' });
    await ledger.create(id, { link_type: 'loss', reversal: true });
  });

  it('A suggestion that contradicts a link made by a person cannot be confirmed', async () => {
    const { id } = await recordEvent(ledger.live);
    const [suggested] = await ledger.suggest(id, { strength: 0.5, linkType: 'cost' });
    const made = await ledger.create(id, { link_type: 'revenue', correlation_strength: 0.25 });
    const answer = await ledger.confirm(suggested?.id ?? '');
    expect(answer.status).toBe(409);
    expect(errorOf(answer).message).toContain(made.id);
    dataOf(await ledger.live.delete(`/links/${made.id}`), Link);
    dataOf(await ledger.confirm(suggested?.id ?? ''), Link);
    expect(await ledger.money(id)).toMatchObject({
      counted: '-1250.00',
      parts: ['confirmed -1250'],
    });
  });

  it('A corrected amount never loses a link, except one that it makes a contradiction', async () => {
    const { id } = await recordEvent(ledger.live, { amount: '10.00' });
    await ledger.create(id, { link_type: 'revenue', correlation_strength: 0.5 });
    await ledger.create(id, { link_type: 'loss', reversal: true, correlation_strength: 0.5 });
    const carried = async (from: string, amount: string) => {
      const before = idToUuid('evt', from) ?? '';
      const next = await bed.service.db.transaction(async (tx) => {
        const actor = { scope: ledger.scope, actor: 'connector' };
        const body = { ...event({ amount }), metadata: {} };
        const made = await recordFrom(tx.ledger(actor.scope), bed.service.hooks, actor, body, {
          supersedes: before,
        });
        await carryLinks(tx.ledger(actor.scope), bed.service.hooks, actor, before, made.event_id);
        return made.event_id;
      });
      return uuidToId('evt', next);
    };
    const second = await carried(id, '20.00');
    expect(await ledger.money(second)).toMatchObject({
      counted: '20.00',
      parts: ['confirmed 10', 'confirmed 10'],
    });
    const third = await carried(second, '-20.00');
    expect(await ledger.money(third)).toMatchObject({
      counted: '-20.00',
      parts: ['confirmed -10'],
    });
  });
});

describe('A confirmation', () => {
  beforeAll(async () => {
    ledger = await openSigns(bed);
  });

  it('It takes the whole event, and deletes the suggestions beside it without rejecting them', async () => {
    const { id } = await recordEvent(ledger.live, { amount: '90.00' });
    const [one, other] = await ledger.suggest(
      id,
      { strength: 0.6, linkType: 'revenue', label: 'matched' },
      { strength: 0.3, linkType: 'revenue' },
    );
    expect(await ledger.money(id)).toMatchObject({ parts: ['matched 54', 'guessed 27'] });
    const confirmed = dataOf(await ledger.confirm(other?.id ?? ''), Link);
    expect(confirmed).toMatchObject({
      ...{ status: 'ML_INFERRED', correlation_strength: 1, label: 'confirmed' },
    });
    expect(await ledger.money(id)).toMatchObject({ waits: true, parts: ['confirmed 90'] });
    const rival = dataOf(await ledger.live.get(`/links/${one?.id}`), Link);
    expect(rival).toMatchObject({ status: 'ML_SUGGESTED', label: null });
    expect(rival.deleted_at).not.toBeNull();
    const { activity } = dataOf(await ledger.live.get('/activity?limit=2'), ActivityPage);
    expect(activity).toMatchObject([
      { type: 'link.deleted', subject: one?.id, data: { status: 'ML_SUGGESTED' } },
      {
        ...{ type: 'link.confirmed', subject: other?.id },
        data: { correlation_strength: 1, previous_strength: 0.3, status: 'ML_INFERRED' },
      },
    ]);
    const reviews = await bed.service.db.query<{ verdict: string }>(sql`
      select r.verdict from link_reviews r where r.ledger_id = ${ledger.scope.ledgerId}`);
    expect(reviews).toEqual([{ verdict: 'confirmed' }]);
  });

  it('It takes what links of other people leave, and nothing is left for a third', async () => {
    const { id } = await recordEvent(ledger.live, { amount: '10.00' });
    await ledger.create(id, { correlation_strength: 0.3 });
    const [one, other] = await ledger.suggest(
      id,
      { strength: 0.4, linkType: 'saving' },
      { strength: 0.3, linkType: 'revenue' },
    );
    const refused = await ledger.confirm(one?.id ?? '', { strength: 0.71 });
    expect(refused.status).toBe(409);
    expect(errorOf(refused).message).toContain('0.7');
    for (const strength of [0, -1, 1.5, '1']) {
      expect((await ledger.confirm(one?.id ?? '', { strength })).status).toBe(422);
    }
    const part = dataOf(await ledger.confirm(one?.id ?? '', { strength: 0.2 }), Link);
    expect(part.correlation_strength).toBe(0.2);
    expect(await ledger.money(id)).toMatchObject({
      parts: ['confirmed 3', 'confirmed 2', 'guessed 3'],
    });
    const rest = dataOf(await ledger.confirm(other?.id ?? '', {}), Link);
    expect(rest.correlation_strength).toBe(0.5);
    expect(await ledger.money(id)).toMatchObject({
      parts: ['confirmed 3', 'confirmed 2', 'confirmed 5'],
    });
    const [late] = await ledger.suggest(id, { strength: 0.1, linkType: 'revenue' });
    const none = await ledger.confirm(late?.id ?? '');
    expect(none.status).toBe(409);
    expect(errorOf(none).message).toContain('whole event');
  });

  it('Deleting it gives the event back to the engine', async () => {
    const { id } = await recordEvent(ledger.live);
    const [one] = await ledger.suggest(id, { strength: 0.6, linkType: 'revenue' });
    dataOf(await ledger.confirm(one?.id ?? ''), Link);
    await bed.service.db.query(sql`delete from due_work where subject = ${idToUuid('evt', id)}`);
    dataOf(await ledger.live.delete(`/links/${one?.id}`), Link);
    expect(await ledger.money(id)).toMatchObject({ waits: true, counted: '1250.00', parts: [] });
  });

  it('A bundle with confirmed, displaced and reversed links verifies', async () => {
    const { id } = await recordEvent(ledger.live);
    const [one] = await ledger.suggest(
      id,
      { strength: 0.2, linkType: 'loss', reversal: true },
      { strength: 0.7, linkType: 'revenue' },
    );
    dataOf(await ledger.confirm(one?.id ?? ''), Link);
    await ledger.create(id, { link_type: 'cost', reversal: true, correlation_strength: 0.1 });
    const bundle = await bundleOf(bed, ledger.live);
    const links = jsonOf<Link[]>(bundle, 'links.json');
    expect(links.filter(({ reversal }) => reversal)).toHaveLength(2);
    expect(links.find(({ id: own }) => own === one?.id)).toMatchObject({ correlation_strength: 1 });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(ledger.live) });
    expect(verdictsOf(report)).toEqual({ ...CONSISTENT, authenticity: 'pass' });
  });
});
