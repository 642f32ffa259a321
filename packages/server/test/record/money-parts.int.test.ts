import { Pnl } from '@decision-ledger/contract/analytics';
import { Link } from '@decision-ledger/contract/link';
import { Settings } from '@decision-ledger/contract/settings';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recounts } from '#server/domains/record/financial-events/index';
import { catchUpDue } from '#server/platform/followers/due-step';
import { idToUuid } from '#server/platform/ids';
import { dataOf, errorOf } from '../support/client.js';
import { link, recordDecision, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { eventsOf } from '../support/webhooks.js';
import { type Fields, openSigns } from './support/signs.js';

let bed: TestService;
let ledger: Awaited<ReturnType<typeof openSigns>>;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

describe('The parts of an event', () => {
  beforeAll(async () => {
    ledger = await openSigns(bed);
  });

  it('Parts and remainder sum to the counted amount exactly, and no part exceeds it', async () => {
    const amount = fc
      .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat({ max: 999_999_999_999 }))
      .map(([head, tail]) => `${head}.${String(tail).padStart(12, '0')}`);
    const strength = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0, 1 / 3, 0.1, 1, 1e-9),
    );
    const decisions = await Promise.all(
      Array.from({ length: 6 }, () => recordDecision(ledger.live)),
    );
    await fc.assert(
      fc.asyncProperty(
        amount,
        fc.array(strength, { minLength: 1, maxLength: 6 }),
        async (of, all) => {
          const { id } = await recordEvent(ledger.live, { amount: of });
          for (const [index, correlation_strength] of all.entries()) {
            const body = link(decisions[index] ?? '', id, { correlation_strength });
            dataOf(await ledger.live.post('/links', body), Link, 201);
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
      { numRuns: 12, seed: 11 },
    );
  });
});

describe('A change of the settings', () => {
  beforeAll(async () => {
    ledger = await openSigns(bed);
  });

  const set = async (attribution: Fields) =>
    dataOf(await ledger.live.patch('/settings', { attribution }), Settings);
  const recount = () =>
    catchUpDue(
      bed.service.db.ledger(ledger.scope),
      recounts(bed.service.hooks),
      new AbortController().signal,
    );
  const waiting = async () => {
    const [row] = await bed.service.db.query<{ due: number }>(sql`
      select count(*) as due from due_work
      where follower = 'recounts' and ledger_id = ${ledger.scope.ledgerId}`);
    return row?.due;
  };

  it('Sources declared unsigned are counted again once, and human links still decide', async () => {
    const fields = { source: 'adyen', event_type: 'REFUND', amount: '30.00' };
    const plain = await recordEvent(ledger.live, fields);
    const decided = await recordEvent(ledger.live, fields);
    await ledger.create(decided.id, { link_type: 'revenue', correlation_strength: 1 });
    const shared = await recordEvent(ledger.live, fields);
    await ledger.suggest(shared.id, { strength: 0.5, linkType: 'revenue', label: 'matched' });
    await bed.service.db.query(sql`delete from due_work`);
    const other = await recordEvent(ledger.live, { ...fields, source: 'till' });
    expect(await waiting()).toBe(0);
    await set({ half_life_hours: 71 });
    expect(await waiting()).toBe(0);
    await set({ unsigned_sources: ['adyen', 'none'] });
    await set({ unsigned_sources: ['adyen'] });
    expect(await waiting()).toBe(1);
    expect(await ledger.money(plain.id)).toMatchObject({ counted: '30.00' });
    await recount();
    expect(await ledger.money(plain.id)).toMatchObject({ counted: '-30.00', waits: false });
    expect(await ledger.money(decided.id)).toMatchObject({ counted: '30.00' });
    // Its suggestion is of the wrong type now, so the engine looks at it again.
    expect(await ledger.money(shared.id)).toMatchObject({
      ...{ counted: '-30.00', waits: true, parts: ['matched -15'] },
    });
    expect(await ledger.money(other.id)).toMatchObject({ counted: '30.00' });
    expect(await ledger.lastActivity()).toMatchObject({
      type: 'financial_event.recounted',
      data: { financial_event_ids: [plain.id, shared.id].sort() },
    });
    const before = await ledger.lastActivity();
    await recount();
    expect(await ledger.lastActivity()).toEqual(before);
    const late = await recordEvent(ledger.live, fields);
    expect(await ledger.money(late.id)).toMatchObject({ counted: '-30.00' });
    await set({ unsigned_sources: null });
    await recount();
    for (const { id } of [plain, shared, late]) {
      expect(await ledger.money(id)).toMatchObject({ counted: '30.00' });
    }
  });

  it('An event of an unknown type from a source without signs counts nothing until somebody says what it is', async () => {
    await set({ unsigned_sources: ['psp'] });
    await recount();
    const total = async () => {
      const pnl = dataOf(await ledger.live.get('/analytics/ai-pnl'), Pnl);
      return Number(pnl.total);
    };
    const unclassified = async () =>
      (await eventsOf(ledger.live, '&standing=unclassified')).map(({ id }) => id);
    const before = await total();
    const fields = { source: 'psp', amount: '30.00' };
    const one = await recordEvent(ledger.live, { ...fields, event_type: 'settlement_b' });
    const other = await recordEvent(ledger.live, { ...fields, event_type: 'adjusted' });
    await recordEvent(ledger.live, { ...fields, event_type: 'payment', amount: '0.00' });
    const gone = await recordEvent(ledger.live, { ...fields, event_type: 'adjusted' });
    expect((await ledger.live.delete(`/financial-events/${gone.id}`)).status).toBe(200);
    expect(await ledger.money(one.id)).toMatchObject({ counted: '0' });
    expect((await unclassified()).sort()).toEqual([one.id, other.id].sort());
    expect(await total()).toBe(before);
    // A person says it of one of them, and a row of all of their type.
    await ledger.create(other.id, { link_type: 'cost', correlation_strength: 1 });
    expect(await unclassified()).toEqual([one.id]);
    expect(await total()).toBe(before - 30);
    await set({ link_types: [{ words: ['settlement'], link_type: 'refund' }] });
    await recount();
    expect(await unclassified()).toEqual([]);
    expect(await total()).toBe(before - 60);
    await set({ unsigned_sources: null, link_types: null });
    await recount();
  });

  it('The rows are visible, own rows come first, and an impossible reversal is refused', async () => {
    const { attribution } = dataOf(await ledger.live.get('/settings'), Settings);
    expect(attribution.link_types).toEqual([]);
    expect(attribution.default_link_types).toContainEqual({
      ...{ words: ['chargeback', 'won'], link_type: 'loss', reversal: true },
    });
    const row = { words: ['cash'], link_type: 'revenue', reversal: true };
    const refused = await ledger.live.patch('/settings', { attribution: { link_types: [row] } });
    expect(refused.status).toBe(422);
    const named = Object.keys(errorOf(refused).details?.fields ?? {});
    expect(named).toEqual(['attribution.link_types[0].reversal']);
    for (const words of [[], ['Two words'], ['UPPER'], ['a.b']]) {
      const link_types = [{ words, link_type: 'cost' }];
      expect((await ledger.live.patch('/settings', { attribution: { link_types } })).status).toBe(
        422,
      );
    }
    const { attribution: changed } = await set({
      link_types: [{ words: ['rückzahlung'], link_type: 'refund' }],
      unsigned_sources: ['bank'],
    });
    expect(changed.link_types).toHaveLength(1);
    const fields = { source: 'bank', event_type: 'Rückzahlung Kunde', amount: '5.00' };
    expect(await ledger.money((await recordEvent(ledger.live, fields)).id)).toMatchObject({
      counted: '-5.00',
    });
  });
});
