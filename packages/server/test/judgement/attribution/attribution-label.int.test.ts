import { Pnl } from '@decision-ledger/contract/analytics';
import { AttributionQuality } from '@decision-ledger/contract/analytics-quality';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { LinkPage } from '@decision-ledger/contract/link';
import { ReviewAnswer, ReviewPage } from '@decision-ledger/contract/review';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectBehind } from '#server/platform/followers/behind';
import { idToUuid } from '#server/platform/ids';
import { dataOf } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { asOwner } from '../../support/owner.js';
import { copyScored } from '../../support/scored-months.js';
import { openTestService, type TestService } from '../../support/service.js';
import { type Desk, openDesk } from '../../support/suggestions-desk.js';

const DAY = 86_400_000;
let test: TestService;
let desk: Desk;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

const quality = async () =>
  dataOf(await desk.client.get('/analytics/attribution-quality'), AttributionQuality);
const pnl = async () => dataOf(await desk.client.get('/analytics/ai-pnl'), Pnl);
const answer = async (event: string, body: object) =>
  dataOf(await desk.client.post(`/reviews/${event}`, body), ReviewAnswer);
const recorded = async () => {
  const { activity } = dataOf(await desk.client.get('/activity?limit=500'), ActivityPage);
  return activity.filter(({ type }) => type.startsWith('attribution.label_')).reverse();
};
const labels = async () =>
  (await desk.links('&status=ML_SUGGESTED')).map(({ label }) => label ?? null);

/** Events about the order of one decision each: 31 of March and 10 of April. */
async function fill(): Promise<Map<string, string>> {
  const orders = Array.from({ length: 41 }, (_none, index) => ({
    metadata: { order_id: `ORD-${8100 + index}` },
  }));
  const decisions = await desk.decide(...orders);
  const causes = new Map<string, string>();
  for (const [index, order] of orders.entries()) {
    causes.set(await desk.happen(order), decisions[index] ?? '');
  }
  const ids = [...causes.keys()].map((event) => idToUuid('evt', event));
  const date = `update financial_events set created_at = $1 where event_id = any($2::uuid[])`;
  await asOwner(test, date, ['2026-03-10', ids.slice(0, 31)]);
  await asOwner(test, date, ['2026-04-10', ids.slice(31)]);
  await desk.look();
  return causes;
}

describe('Withdrawal of the label of matches', () => {
  it('The label goes when audits do not support it, stays away for the month, and returns', async () => {
    desk = await openDesk(test);
    const causes = await fill();
    const list = dataOf(await desk.client.get('/reviews?kind=audit&limit=500'), ReviewPage);
    const audits = list.reviews.map(({ financial_event }) => financial_event.id);
    expect(audits).toHaveLength(40);
    expect(new Set(await labels())).toEqual(new Set(['matched']));
    const before = await pnl();
    expect(Number(before.matched.net)).toBeGreaterThan(1200);

    // Two are left to show what becomes of suggestions.
    const april = [...causes.keys()].slice(31);
    const answered = audits.filter((event) => !april.slice(0, 2).includes(event));
    const wrong = answered.slice(0, 3);
    for (const event of answered) {
      const body = wrong.includes(event) ? { none: true } : { decision_id: causes.get(event) };
      await answer(event, body);
    }
    await desk.look();
    const { label, precision } = await quality();
    expect(label).toMatchObject({ state: 'withdrawn', least_precision: 0.9, answered: 38 });
    expect(label.audits_since).toBe('2025-10-01');
    expect(label.precision).toEqual(precision.matched);
    expect(precision.matched?.low).toBeLessThan(0.9);
    const left = await labels();
    expect(left.length).toBeGreaterThanOrEqual(2);
    expect(new Set(left)).toEqual(new Set(['guessed']));
    const withdrawn = await pnl();
    expect(withdrawn.matched.net).toBe('0.00');
    expect(withdrawn.net_ai_impact).toBe(withdrawn.confirmed.net);
    expect(Number(withdrawn.guessed.net)).toBeGreaterThan(2 * 20);
    const shown = dataOf(await desk.client.get('/reviews?limit=500'), ReviewPage).reviews;
    const given = shown.flatMap(({ candidates }) => candidates.flatMap((one) => one.label ?? []));
    expect(new Set(given)).toEqual(new Set(['guessed']));
    expect(await recorded()).toMatchObject([
      {
        ...{ type: 'attribution.label_withdrawn', actor: 'engine' },
        data: { label: 'matched', least_precision: 0.9, answered: 38, precision: label.precision },
      },
    ]);

    for (const event of wrong) {
      const query = `/links?financial_event_id=${event}&status=REJECTED`;
      const { links } = dataOf(await desk.client.get(query), LinkPage);
      for (const { id } of links) await desk.remove(id);
      dataOf(await desk.client.delete(`/reviews/${event}`), ReviewAnswer);
    }
    await desk.look();
    for (const event of wrong) await answer(event, { decision_id: causes.get(event) });
    await desk.look();
    test.clock.advance(10 * DAY);
    await desk.look();
    const recovered = await quality();
    expect(recovered.label.precision).toMatchObject({ value: 1, units: 38 });
    expect(recovered.label.precision?.low).toBeGreaterThan(0.9);
    expect(recovered.label.state).toBe('withdrawn');
    expect(new Set(await labels())).toEqual(new Set(['guessed']));

    test.clock.advance(10 * DAY);
    await desk.look();
    expect((await quality()).label.state).toBe('given');
    expect((await recorded()).map(({ type }) => type)).toEqual([
      'attribution.label_withdrawn',
      'attribution.label_restored',
    ]);
    expect(new Set(await labels())).toEqual(new Set(['matched']));
    const restored = await pnl();
    expect(restored.guessed.net).toBe('0.00');
    expect(Number(restored.matched.net)).toBeGreaterThan(2 * 20);
    await desk.look();
    expect(await recorded()).toHaveLength(2);
  });

  it('A ledger is due for a check of its quality each day', async () => {
    const { installation, followers, clock } = test.service;
    const isDue = async () => {
      const behind = await selectBehind(installation, followers, clock.now(), [
        desk.scope.ledgerId,
      ]);
      return behind.some(({ follower }) => follower === 'suggestion-quality');
    };
    await followLogs(test.service, [desk.scope.ledgerId]);
    expect(await isDue()).toBe(false);
    test.clock.advance(DAY);
    expect(await isDue()).toBe(true);
    await followLogs(test.service, [desk.scope.ledgerId]);
    expect(await isDue()).toBe(false);
  });
});

/** Own arithmetic, on counts. */
function index(now: readonly number[], then: readonly number[]): number {
  const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one + 0.5, 0);
  return now.reduce((sum, count, bin) => {
    const [p, q] = [(count + 0.5) / total(now), ((then[bin] ?? 0) + 0.5) / total(then)];
    return sum + (p - q) * Math.log(p / q);
  }, 0);
}

describe('Drift of scores', () => {
  const scores = () =>
    test.service.db.query<{
      shares_identifier: boolean;
      lag_hours: number;
      best_share: number;
    }>(sql`
      select shares_identifier, lag_hours, best_share from event_scores
      where ledger_id = ${desk.scope.ledgerId} order by event_id`);
  const detected = () =>
    test.service.db.query<{ data: string }>(sql`
      select data from announcements
      where ledger_id = ${desk.scope.ledgerId} and type = 'drift.detected' order by seq`);

  it('What is watched is that of the score before people said anything', async () => {
    desk = await openDesk(test);
    const [decision = ''] = await desk.decide({ metadata: { order_id: 'ORD-9901' } }, {});
    const named = await desk.happen({ metadata: { order_id: 'ORD-9901' } });
    await desk.look();
    await desk.happen({ amount: '3.00', timestamp: '2030-01-01T00:00:00Z' });
    await desk.look();
    const before = await scores();
    expect(before).toMatchObject([
      { shares_identifier: true, lag_hours: expect.closeTo(1, 6) },
      { shares_identifier: false, lag_hours: null },
    ]);
    expect(before[0]?.best_share).toBeGreaterThan(0.5);
    expect(before[1]?.best_share).toBeLessThan(0.1);
    await answer(named, { decision_id: decision });
    await desk.lookAtAllAgain();
    await desk.look();
    expect((await scores())[0]).toEqual(before[0]);
  });

  it('A month that differs from the three before is shown, and announced once', async () => {
    const month = new Date(test.clock.now()).toISOString().slice(0, 7);
    const [year = 0, number = 1] = month.split('-').map(Number);
    const back = (months: number) =>
      new Date(Date.UTC(year, number - 1 - months, 1)).toISOString().slice(0, 7);
    await test.service.db.query(sql`
      update event_scores set audit_month = null, audit_probability = null where ledger_id = ${desk.scope.ledgerId}`);
    const usual = { shares_identifier: true, lag_hours: 10, best_share: 0.97 };
    const unnamed = { ...usual, shares_identifier: false };
    for (const [months, named, others] of [
      [4, 360, 40],
      [3, 85, 5],
      [1, 190, 20],
    ] as const) {
      await copyScored(test, desk, { month: back(months), events: named, ...usual });
      await copyScored(test, desk, { month: back(months), events: others, ...unnamed });
    }
    await copyScored(test, desk, { month, events: 100, ...usual });
    const late = { ...unnamed, best_share: 0.96, lag_hours: 200 };
    await copyScored(test, desk, { month, events: 150, ...late });
    test.clock.advance(DAY);
    for (let n = 0; n < 2; n += 1) await desk.look();
    test.clock.advance(DAY);
    await desk.look();

    const coverage = index([150, 100], [25, 275]);
    const lag = index([0, 0, 100, 0, 0, 150, 0], [0, 0, 300, 0, 0, 0, 0]);
    const about = { subject: 'attribution', month, reference_start: back(3) };
    const counts = { events: 250, reference_events: 300 };
    const found = (await detected()).map(({ data }): unknown => JSON.parse(data));
    expect(found).toEqual([
      { ...about, metric: 'identifier_coverage', index: expect.closeTo(coverage, 5), ...counts },
      { ...about, metric: 'lag', index: expect.closeTo(lag, 5), ...counts },
    ]);
    const { by_month } = await quality();
    expect(by_month.map((one) => one.month)).toEqual([back(4), back(3), back(1), month]);
    expect(by_month.at(-1)).toMatchObject({ audits: 0, reason: 'too_few_answers' });
    expect(by_month.at(-1)?.drift).toMatchObject([
      { metric: 'identifier_coverage', state: 'drifted', shares: [0.6, 0.4], ...counts },
      { metric: 'lag', state: 'drifted', ...counts },
      { metric: 'share', state: 'stable', index: expect.closeTo(0, 2), ...counts },
    ]);
    expect(by_month[2]?.drift[0]).toMatchObject({ state: 'stable', events: 210 });
    const answered = await desk.client.get(`/analytics/attribution-quality?start=${month}-01`);
    const only = dataOf(answered, AttributionQuality).by_month;
    expect(only).toEqual(by_month.slice(-1));
  });
});
