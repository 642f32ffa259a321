import { Pnl } from '@decision-ledger/contract/analytics';
import { MonthPage } from '@decision-ledger/contract/analytics-months';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeMonths } from '#server/domains/answers/analytics/close-months';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { decide } from '../support/estimates.js';
import { followLogs } from '../support/followers.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

const DAY = 86_400_000;

let bed: TestService;

// The clock starts on 2026-04-16, which is 16 days after the end of March.
beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const IN_MARCH = { timestamp: '2026-03-31T23:59:59.999Z' };

async function run(client: Client): Promise<void> {
  const scope = await scopeOf(bed, client);
  await closeMonths(bed.service.db.ledger(scope), new AbortController().signal);
}

async function nextNight(client: Client): Promise<void> {
  bed.clock.advance(DAY);
  await run(client);
}

const readMonths = async (client: Client, query = '') =>
  dataOf(await client.get(`/analytics/months${query}`), MonthPage).months;

const readPnl = async (client: Client, query = '') =>
  dataOf(await client.get(`/analytics/ai-pnl${query}`), Pnl);

const recorded = async (client: Client, type: string) =>
  dataOf(await client.get(`/activity?type=${type}&limit=500`), ActivityPage).activity;

async function linked(client: Client, fields: object): Promise<string> {
  const { decision_id } = await decide(client);
  const { id } = await recordEvent(client, { ...IN_MARCH, ...fields });
  const body = link(decision_id, id, { correlation_strength: 1 });
  return dataOf(await client.post('/links', body), Link, 201).id;
}

describe('Closed months', () => {
  it('A month is closed ten days after its end, with the figures that its analysis prints', async () => {
    const { live, test } = await bed.organisation();
    await linked(live, { amount: '100.005' });
    await recordEvent(live, { ...IN_MARCH, amount: '7.77', currency: 'EUR' });
    await recordEvent(live, { timestamp: '2026-04-01T00:00:00.000Z', amount: '3' });
    await run(live);
    const [march, ...others] = await readMonths(live);
    expect(others).toEqual([]);
    const pnl = await readPnl(live, '?start=2026-03-01&end=2026-03-31');
    expect(pnl).toMatchObject(march?.closed ?? {});
    expect(march?.closed).toMatchObject({ total: '100.00', unconverted: [] });
    expect(march?.closed.by_currency).toHaveLength(2);
    expect(march).toMatchObject({ month: '2026-03', restatements: [], current: march?.closed });
    const [entry, ...more] = await recorded(live, 'month.closed');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      subject: '2026-03',
      actor: 'engine',
      created_at: march?.closed_at,
    });
    expect(entry?.data).toMatchObject({
      ...{ month: '2026-03', figures: march?.closed },
      ...{ activity_seq: march?.activity_seq, activity_hash: march?.activity_hash },
    });
    const { by_month } = await readPnl(live);
    expect(by_month).toMatchObject(
      [
        { key: '2026-03', closed_at: march?.closed_at, restated_at: null },
        { key: '2026-04', closed_at: null, restated_at: null },
      ].slice(0, by_month.length),
    );
    expect(await readMonths(test)).toEqual([]);
  });

  it('A later change restates a month at most once a night and never changes what was closed', async () => {
    const { live } = await bed.organisation();
    const first = await linked(live, { amount: '100' });
    await recordEvent(live, { ...IN_MARCH, amount: '10', currency: 'EUR' });
    await run(live);
    const [closed] = await readMonths(live);
    await live.delete(`/links/${first}`);
    const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '2' };
    await live.patch('/settings', { exchange_rates: [rate] });
    const [waiting] = await readMonths(live);
    expect(waiting).toMatchObject({ closed: closed?.closed, restatements: [] });
    expect(waiting?.current).toMatchObject({ total: '120.00', unattributed: '120.00' });
    await run(live);
    expect((await readMonths(live))[0]?.restatements).toEqual([]);

    await nextNight(live);
    await run(live);
    const [restated] = await readMonths(live);
    expect(restated?.closed).toEqual(closed?.closed);
    expect(restated?.restatements).toHaveLength(1);
    const [one] = restated?.restatements ?? [];
    expect(one?.figures).toEqual(waiting?.current);
    const changes = new Map(
      one?.changes.map(({ figure, before, after }) => [figure, [before, after]]),
    );
    expect(changes.get('confirmed.revenue')).toEqual(['100.00', '0.00']);
    expect(changes.get('unattributed')).toEqual(['0.00', '120.00']);
    expect(changes.get('total')).toEqual(['100.00', '120.00']);
    expect(changes.get('unattributed_unconverted.EUR')).toEqual(['10.00', null]);
    expect(changes.has('confirmed.costs')).toBe(false);
    const [entry] = await recorded(live, 'month.restated');
    expect(entry).toMatchObject({ subject: '2026-03', created_at: one?.restated_at });
    expect(entry?.data).toMatchObject({ figures: one?.figures, changes: one?.changes });
    expect((await readPnl(live)).by_month).toEqual([]);

    await nextNight(live);
    await live.patch('/settings', { exchange_rates: [{ ...rate, rate: '3' }] });
    await nextNight(live);
    const [last] = await readMonths(live);
    expect(last?.restatements.map(({ figures }) => figures.total)).toEqual(['120.00', '130.00']);
    expect(last?.restatements[1]?.changes).toContainEqual({
      ...{ figure: 'total', before: '120.00', after: '130.00' },
    });
    await linked(live, { amount: '5' });
    const { by_month } = await readPnl(live);
    expect(by_month).toMatchObject([{ restated_at: last?.restatements[1]?.restated_at }]);
  });

  it('Changes that cancel out, and changes of other months, restate nothing', async () => {
    const { live } = await bed.organisation();
    await linked(live, { amount: '100' });
    await run(live);
    const { id } = await recordEvent(live, { ...IN_MARCH, amount: '9' });
    await live.delete(`/financial-events/${id}`);
    await recordEvent(live, { timestamp: '2026-04-02T00:00:00Z', amount: '8' });
    await nextNight(live);
    expect(await readMonths(live)).toMatchObject([{ month: '2026-03', restatements: [] }]);
    expect(await recorded(live, 'month.restated')).toEqual([]);
  });

  it('A change of the base currency restates a month in the new one', async () => {
    const { live } = await bed.organisation();
    await linked(live, { amount: '100' });
    await run(live);
    const rate = { from: 'USD', to: 'JPY', date: '2026-01-01', rate: '150' };
    await live.patch('/settings', { base_currency: 'JPY', exchange_rates: [rate] });
    await nextNight(live);
    const [month] = await readMonths(live);
    expect(month?.closed).toMatchObject({ currency: 'USD', total: '100.00' });
    expect(month?.restatements).toMatchObject([{ figures: { currency: 'JPY', total: '15000' } }]);
    expect(month?.restatements[0]?.changes[0]).toEqual({
      ...{ figure: 'currency', before: 'USD', after: 'JPY' },
    });
  });

  it('The setting close_after_days decides when a month closes', async () => {
    const { live } = await bed.organisation();
    await live.patch('/settings', { analytics: { close_after_days: 200 } });
    await linked(live, { amount: '1', timestamp: '2025-06-30T00:00:00Z' });
    await linked(live, { amount: '1' });
    await run(live);
    expect((await readMonths(live)).map(({ month }) => month)).toEqual(['2025-06']);
    await live.patch('/settings', { analytics: { close_after_days: 0 } });
    await nextNight(live);
    expect((await readMonths(live)).map(({ month }) => month)).toEqual(['2026-03', '2025-06']);
    const refused = await live.patch('/settings', { analytics: { close_after_days: -1 } });
    expectRefusal(refused, 'validation_error', 'analytics.close_after_days');
  });

  it('Runs at the same time close and restate once', async () => {
    const { live } = await bed.organisation();
    await linked(live, { amount: '100' });
    await Promise.all([run(live), run(live), run(live)]);
    expect(await recorded(live, 'month.closed')).toHaveLength(1);
    await linked(live, { amount: '1' });
    bed.clock.advance(DAY);
    await Promise.all([run(live), run(live), run(live)]);
    expect(await recorded(live, 'month.restated')).toHaveLength(1);
  });

  it('Months are paged, the latest first, and can be chosen', async () => {
    const { live } = await bed.organisation();
    for (const month of ['0001-01', '1999-12', '2025-12', '2026-01', '2026-03']) {
      await linked(live, { amount: '1', timestamp: `${month}-03T00:00:00Z` });
    }
    await run(live);
    const page = dataOf(await live.get('/analytics/months?limit=2'), MonthPage);
    expect(page.months.map(({ month }) => month)).toEqual(['2026-03', '2026-01']);
    const rest = await readMonths(live, `?limit=5&cursor=${page.next_cursor}`);
    expect(rest.map(({ month }) => month)).toEqual(['2025-12', '1999-12', '0001-01']);
    expect(rest.map(({ closed }) => closed.total)).toEqual(['1.00', '1.00', '1.00']);
    expect((await readMonths(live, '?month=2026-01')).map(({ month }) => month)).toEqual([
      '2026-01',
    ]);
    const refused = await live.get('/analytics/months?month=2026-13');
    expectRefusal(refused, 'validation_error', 'month');
  });

  it('The worker closes the months of every ledger that is due', async () => {
    const { live, test } = await bed.organisation();
    await linked(live, { amount: '1' });
    await linked(test, { amount: '2' });
    await followLogs(bed.service);
    expect(await readMonths(live)).toHaveLength(1);
    expect(await readMonths(test)).toHaveLength(1);
  });
});
