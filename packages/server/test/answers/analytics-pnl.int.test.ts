import { Pnl } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent, FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import { Big } from 'big.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal } from '../support/client.js';
import { decide } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { suggestLink } from './support/pnl-plan.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const readPnl = async (client: Client, query = '') =>
  dataOf(await client.get(`/analytics/ai-pnl${query}`), Pnl);

/** The sum of the three parts that the range over all money divides it into. */
const addUp = (net: Pnl['likely_net']) =>
  new Big(net?.proven ?? 0)
    .plus(net?.likely ?? 0)
    .plus(net?.unknown ?? 0)
    .toFixed(2);

/** A decision that is the only cause of an event. */
async function move(client: Client, fields: object, type = 'revenue', strength = 1) {
  const body = decision({ agent_id: 'mover', action_type: 'move' });
  const { decision_id } = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
  const { id } = await recordEvent(client, { ...fields });
  const more = { link_type: type, correlation_strength: strength };
  dataOf(await client.post('/links', link(decision_id, id, more)), Link, 201);
}

describe('Profit and loss', () => {
  it('The profit and loss of an empty ledger is zero and ignores the other ledger', async () => {
    const { live, test } = await bed.organisation();
    await move(test, { amount: '5' });
    const { expected, confidence_interval, by_agent, by_month, ...rest } = await readPnl(live);
    expect(new Set(Object.values(expected))).toEqual(new Set(['0.00']));
    expect({ confidence_interval, by_agent, by_month, ...rest }).toMatchObject({
      ...{ confidence_interval: { low: '0.00', high: '0.00' }, by_agent: [], by_month: [] },
      ...{ unattributed: '0.00', total: '0.00', expected_liability: '0.00', decisions: 0 },
    });
    expect((await readPnl(test)).total_revenue_attributed).toBe('5.00');
  });

  it('The range over all money has a width while something is unreviewed, and adds up to the total', async () => {
    const { live } = await bed.organisation();
    const range = async () => (await readPnl(live)).likely_net;
    expect(await range()).toMatchObject({ expected: '0.00', low: '0.00', high: '0.00' });
    for (const amount of ['100', '40', '-25.5']) await recordEvent(live, { amount });
    const open = await range();
    expect(open?.proven).toBe('0.00');
    expect(Number(open?.low)).toBeLessThan(Number(open?.expected));
    expect(Number(open?.high)).toBeGreaterThan(Number(open?.expected));
    expect(Number(open?.low)).toBeGreaterThanOrEqual(-25.5);
    expect(Number(open?.high)).toBeLessThanOrEqual(140);
    expect(addUp(open)).toBe('114.50');
    await move(live, { amount: '7' }, 'revenue', 1);
    const moved = await range();
    expect([moved?.proven, addUp(moved)]).toEqual(['7.00', '121.50']);
    expect((await readPnl(live, '?agent_id=mover')).likely_net).toBeNull();
  });

  it('Reversals without a cause are told with the sum while they are more than a tenth', async () => {
    const { live } = await bed.organisation();
    const reversals = async (query = '') => (await readPnl(live, query)).reversals;
    await move(live, { amount: '500' });
    expect(await reversals()).toEqual({ total: '0.00', without_cause: '0.00', warning: null });
    await move(live, { amount: '-90', event_type: 'refund' }, 'refund');
    await recordEvent(live, { amount: '-10', event_type: 'payment_fee' });
    await recordEvent(live, { amount: '-70', event_type: 'salary' });
    expect(await reversals()).toEqual({ total: '100.00', without_cause: '10.00', warning: null });
    await recordEvent(live, { amount: '-0.50', event_type: 'chargeback' });
    const { warning, ...sums } = await reversals();
    expect(sums).toEqual({ total: '100.50', without_cause: '10.50' });
    expect(warning).toContain('Of 100.50 USD');
    expect(warning).toContain('10.50 USD have no cause');
    expect(await reversals('?agent_id=mover')).toEqual({ ...sums, warning });
    expect((await reversals('?start=2020-01-01&end=2020-12-31')).total).toBe('0.00');
  });

  it('What a link leaves of a reversal is without a cause', async () => {
    const { live } = await bed.organisation();
    await move(live, { amount: '-80', event_type: 'refund' }, 'refund', 0.75);
    const { total, without_cause, warning } = (await readPnl(live)).reversals;
    expect([total, without_cause]).toEqual(['80.00', '20.00']);
    expect(warning).not.toBeNull();
  });

  it('Without anything unreviewed, the range over all money is what is proven', async () => {
    const { live } = await bed.organisation();
    await move(live, { amount: '12.30' });
    await move(live, { amount: '-2' }, 'loss');
    expect(await readPnl(live)).toMatchObject({
      likely_net: {
        ...{ proven: '10.30', likely: '0.00', unknown: '0.00', expected: '10.30' },
        ...{ low: '10.30', high: '10.30', headline: 'within' },
      },
    });
    await recordEvent(live, { amount: '1000' });
    const { likely_net, confidence_interval } = await readPnl(live);
    expect(confidence_interval).toEqual({ low: '10.30', high: '10.30' });
    expect(Number(likely_net?.high) - Number(likely_net?.low)).toBeGreaterThan(100);
  });

  it('The profit and loss follows every change immediately, in each process', async () => {
    const { live } = await bed.organisation();
    const other = (await bed.another()).client(live.key);
    const read = async () => {
      const [here, there] = [await readPnl(live), await readPnl(other)];
      expect(there).toEqual(here);
      return [here.net_ai_impact, here.unattributed];
    };
    expect(await read()).toEqual(['0.00', '0.00']);
    const { id } = await recordEvent(live, { amount: '100', currency: 'EUR' });
    expect(await read()).toEqual(['0.00', '0.00']);
    const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '2' };
    await live.patch('/settings', { exchange_rates: [rate] });
    expect(await read()).toEqual(['0.00', '200.00']);
    const { decision_id } = await decide(live);
    const body = link(decision_id, id, { correlation_strength: 0.25 });
    const made = dataOf(await live.post('/links', body), Link, 201);
    expect(await read()).toEqual(['50.00', '150.00']);
    await live.patch('/settings', { base_currency: 'EUR' });
    expect(await read()).toEqual(['25.00', '75.00']);
    await live.delete(`/links/${made.id}`);
    expect(await read()).toEqual(['0.00', '100.00']);
    await live.delete(`/financial-events/${id}`);
    expect(await read()).toEqual(['0.00', '0.00']);
  });

  it('The expected liability of decisions in the range is shown beside it and never netted', async () => {
    const { live } = await bed.organisation();
    const early = await decide(live, { timestamp: '2026-03-01T10:20:29.999Z' });
    const late = await decide(live, { timestamp: '2026-03-01T10:20:30.000Z' });
    const read = async (query: string) => {
      const { expected_liability, net_ai_impact, decisions } = await readPnl(live, query);
      return [expected_liability, net_ai_impact, decisions];
    };
    expect(await read('?end=2026-03-01T10:20:30Z')).toEqual([early.liability?.expected, '0.00', 1]);
    expect(await read('?start=2026-03-01T10:20:30Z')).toEqual([
      late.liability?.expected,
      '0.00',
      1,
    ]);
    expect((await read(''))[2]).toBe(2);
  });
});

describe('Ranges', () => {
  it('A range selects events by time, to the millisecond, whatever offset either is written in', async () => {
    const { live } = await bed.organisation();
    await move(live, { amount: '10', timestamp: '2026-04-01T01:59:59.999+02:00' });
    await move(live, { amount: '32.5', timestamp: '2026-03-31T19:00:00-05:00' });
    const revenue = async (query: string) => (await readPnl(live, query)).total_revenue_attributed;
    expect(await revenue('?start=2026-04-01')).toBe('32.50');
    expect(await revenue('?start=2026-03-31T23:59:59.999Z')).toBe('42.50');
    expect(await revenue('?start=2026-04-01T02:00:00%2B02:00')).toBe('32.50');
    expect(await revenue('?end=2026-04-01T02:00:00%2B02:00')).toBe('10.00');
    expect(await revenue('?end=2026-03-31')).toBe('10.00');
    expect(await revenue('?end=2026-03-31T23:59:59.999Z')).toBe('0.00');
    expect(await revenue('?agent_id=mover')).toBe('42.50');
    expect(await revenue('?agent_id=nobody')).toBe('0.00');
    expect(await revenue('?action_type=move&end=2026-03-31')).toBe('10.00');
    const { by_month } = await readPnl(live);
    expect(by_month.map(({ key, expected }) => [key, expected.net])).toEqual([
      ['2026-03', '10.00'],
      ['2026-04', '32.50'],
    ]);
    const refused = await live.get('/analytics/ai-pnl?start=2026-03-10&end=2026-03-01');
    expectRefusal(refused, 'validation_error', 'start');
  });

  it('An event is converted by the rate of its day in UTC', async () => {
    const { live } = await bed.organisation();
    const dated = (date: string, rate: string) => ({ from: 'EUR', to: 'USD', date, rate });
    await live.patch('/settings', {
      exchange_rates: [dated('2026-04-01', '2'), dated('2026-03-31', '3')],
    });
    const euros = { amount: '100', currency: 'EUR' };
    await move(live, { ...euros, timestamp: '2026-04-01T01:59:59.999+02:00' });
    await move(live, { ...euros, timestamp: '2026-04-01T02:00:00+02:00' });
    await move(live, { ...euros, timestamp: '2026-03-30T23:59:59.999Z' });
    const { total_revenue_attributed, unconverted, by_month } = await readPnl(live);
    expect(total_revenue_attributed).toBe('500.00');
    expect(by_month.map(({ key, expected }) => [key, expected.revenue])).toEqual([
      ['2026-03', '300.00'],
      ['2026-04', '200.00'],
    ]);
    expect(unconverted).toEqual([{ currency: 'EUR', amount: '100.00' }]);
  });
});

describe('Confidence interval', () => {
  const half = { type: 'revenue', strength: 50 };

  it('The interval never exceeds the possible outcomes, and is the net once all is settled', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const { decision_id: decisionId } = await decide(live);
    const event = dataOf(
      await live.post('/financial-events', {
        ...{ source: 'test', event_type: 'payment', amount: '100', currency: 'USD' },
        timestamp: '2026-04-01T00:00:00Z',
      }),
      FinancialEvent,
      201,
    );
    const id = await suggestLink(bed, scope, { decisionId, eventId: event.id, ...half });
    const open = await readPnl(live);
    expect(open.net_ai_impact).toBe('50.00');
    expect(open.confidence_interval).toEqual({ low: '0.00', high: '100.00' });
    await live.post(`/links/${id}/confirm`, '');
    const settled = await readPnl(live);
    expect(settled.net_ai_impact).toBe('100.00');
    expect(settled.confidence_interval).toEqual({ low: '100.00', high: '100.00' });
  });

  it('Suggestions of one event exclude each other in the interval', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const { id: eventId } = await recordEvent(live, { amount: '100.00' });
    for (const agent_id of ['one', 'other']) {
      const { decision_id: decisionId } = await decide(live, { agent_id });
      await suggestLink(bed, scope, { decisionId, eventId, ...half });
    }
    const both = await readPnl(live);
    expect(both.net_ai_impact).toBe('100.00');
    expect(both.confidence_interval).toEqual({ low: '100.00', high: '100.00' });
    const one = await readPnl(live, '?agent_id=one');
    expect(one.confidence_interval).toEqual({ low: '0.00', high: '100.00' });
  });

  it('The interval narrows relative to the net as events accumulate', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const { decision_id: decisionId } = await decide(live);
    for (let n = 0; n < 16; n += 1) {
      const { id: eventId } = await recordEvent(live, { amount: '100.00' });
      await suggestLink(bed, scope, { decisionId, eventId, ...half });
    }
    // Sixteen coin tosses for 100 each: the mean is 800, the deviation 50 · √16 = 200.
    const { confidence_interval } = await readPnl(live);
    expect(confidence_interval).toEqual({ low: '471.00', high: '1129.00' });
  });

  it('Rows are searched as events are: linked ones, those that no link takes and those that do not count', async () => {
    const { live, test } = await bed.organisation();
    const words = { description: 'Parcel 7, sent late', metadata: { customer_id: 'K-7' } };
    await move(live, { ...words, amount: '40', external_id: 'R-1', source: 'shop' });
    await move(live, { amount: '-12.50', source: 'shop' }, 'cost', 0.5);
    await recordEvent(live, { ...words, amount: '-7', metadata: { order: 'K-7' }, source: 'bank' });
    await recordEvent(live, { amount: '3', external_id: 'late R-1', source: 'bank' });
    await live.patch('/settings', { attribution: { unsigned_sources: ['adyen'] } });
    await recordEvent(live, { ...words, amount: '9', event_type: 'unheard of', source: 'adyen' });
    await move(test, { ...words, amount: '40' });
    const eventsOf = async (query: string) =>
      dataOf(await live.get(`/financial-events?limit=100${query}`), FinancialEventPage);
    const rowsOf = async (figure: string, query: string) =>
      dataOf(await live.get(`/analytics/ai-pnl/rows?figure=${figure}${query}`), PnlRows);
    const figures = ['total', 'confirmed.net', 'unattributed', 'unclassified'];
    const all = await Promise.all(figures.map((figure) => rowsOf(figure, '')));
    expect(all.map(({ rows }) => rows.length)).toEqual([5, 2, 3, 1]);
    const searches = [
      ...[
        'amount=40.00',
        'amount=12.5',
        'min_amount=7',
        'max_amount=9',
        'min_amount=3&max_amount=7',
      ],
      ...[
        'text=late',
        'text=R-1',
        'text=parcel%207',
        'text=!',
        'metadata_value=K-7',
        'source=bank',
      ],
      ...['source=shop&text=late&min_amount=1', 'metadata_value=K-8', 'text=late&amount=7'],
    ];
    for (const search of searches) {
      const ids = (await eventsOf(`&${search}`)).financial_events.map(({ id }) => id);
      for (const [place, figure] of figures.entries()) {
        const wanted = all[place]?.rows.filter((row) => ids.includes(row.financial_event_id)) ?? [];
        const found = await rowsOf(figure, `&${search}`);
        expect(found.rows, `${figure} ${search}`).toEqual(wanted);
        expect(found.sum?.rows).toBe(wanted.length);
        const sum = wanted.reduce((total, row) => total + Number(row.converted_amount), 0);
        expect(Number(found.sum?.converted)).toBeCloseTo(sum, 10);
      }
    }
    const wrong = await live.get('/analytics/ai-pnl/rows?min_amount=2&max_amount=1');
    expectRefusal(wrong, 'validation_error', 'min_amount');
  });
});
