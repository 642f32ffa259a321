import { ExposureAnalysis } from '@decision-ledger/contract/analytics';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { LiabilityBacktest } from '@decision-ledger/contract/liability';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { decide, nightly } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
  // The database dates decisions by the real clock, so the tests start there.
  bed.clock.advance(Date.now() - bed.clock.now());
});
afterAll(() => bed.close());
beforeEach(async () => {
  client = (await bed.organisation()).live;
});

const DAY = 86_400_000;

const read = async (query = '') =>
  dataOf(await client.get(`/analytics/liability${query}`), ExposureAnalysis);

const cents = (amount: string | undefined) => Math.round(Number(amount) * 100);

async function lose(decisionId: string, amount: string): Promise<void> {
  const { id } = await recordEvent(client, { amount });
  const body = link(decisionId, id, { link_type: 'loss', correlation_strength: 1 });
  expect((await client.post('/links', body)).status).toBe(201);
}

const today = () => new Date(bed.clock.now()).toISOString().slice(0, 10);

describe('Liability analytics', () => {
  it('The liability of an empty ledger is zero', async () => {
    const none = '0.00';
    expect(await read()).toEqual({
      ...{ currency: 'USD', as_of: expect.any(String), version: 'liability/v1', decisions: 0 },
      aggregate: {
        ...{ expected: none, p50: none, realised: none },
        ...{ low90: none, high90: none, var95: none, es95: none, basis: 'prior', open: none },
      },
      ...{ threshold_status: null, denied_count: 0 },
      ...{ by_action_type: [], top_decisions: [], unconverted_count: 0 },
      trend: [
        {
          ...{ day: today(), is_now: true, currency: 'USD' },
          ...{ decisions: 0, exposure: none, realised: none },
        },
      ],
      ...{ threshold: null, is_threshold_crossed: false, as_of_seq: 0, pending: 0 },
    });
  });

  it('The total is simulated from the versions of agents, and stays the same for the day', async () => {
    for (const [action_type, amount] of [
      ['loan', 20_000],
      ['loan', 500],
      ['refund', 200],
    ]) {
      await decide(client, { action_type, outputs: { amount }, metadata: { model: `${amount}` } });
    }
    const first = await read();
    const { low90, expected, high90, var95, es95, basis } = first.aggregate;
    expect(basis).toBe('prior');
    expect(var95).toBe(high90);
    expect(Number(low90)).toBeLessThanOrEqual(Number(expected));
    expect(Number(es95)).toBeGreaterThanOrEqual(Number(var95));
    expect(Number(es95)).toBeGreaterThan(Number(expected));
    expect(await read()).toEqual(first);
    await decide(client, { action_type: 'loan', outputs: { amount: 9e6 } });
    expect(Number((await read()).aggregate.es95)).toBeGreaterThan(Number(es95));
  });

  it('An amount without an exchange rate is estimated in its own currency and in no sum', async () => {
    await client.patch('/settings', { liability: { exposure_alert_threshold: '1000' } });
    const { liability } = await decide(client, { outputs: { amount: 5000, currency: 'EUR' } });
    expect(liability).toMatchObject({
      ...{ currency: 'EUR', expected: '35.46' },
      parts: { amount_at_risk: '5000.00', amount_basis: 'approved', unconverted_count: 1 },
    });
    expect(await read()).toMatchObject({
      ...{ unconverted_count: 1, threshold_status: 'unknown', is_threshold_crossed: false },
      aggregate: { expected: '0.00' },
    });
  });

  it('A denied decision has no exposure and is counted', async () => {
    const { liability } = await decide(client, { outputs: { amount: 5000, approved: false } });
    expect(liability).toMatchObject({ expected: '0.00', parts: { amount_basis: 'denied' } });
    expect(await read()).toMatchObject({ denied_count: 1, aggregate: { expected: '0.00' } });
  });

  it('The top decisions match their own estimates, and their number is as requested', async () => {
    const made = [];
    for (const amount of [300, 100, 200]) made.push(await decide(client, { outputs: { amount } }));
    const { top_decisions } = await read('?top=2');
    expect(top_decisions).toEqual(
      [made[0], made[2]].map((receipt) => ({
        ...{ decision_id: receipt?.decision_id, agent_id: 'agent', action_type: 'refund' },
        timestamp: receipt?.timestamp,
        expected: receipt?.liability?.expected,
        expected_low: receipt?.liability?.expected_low,
        expected_high: receipt?.liability?.expected_high,
        realised: '0.00',
        open: receipt?.liability?.open,
        loss_if_any_p50: receipt?.liability?.loss_if_any_p50,
        loss_if_any_p95: receipt?.liability?.loss_if_any_p95,
      })),
    );
    for (const top of ['0', '101', '1.5', 'all']) {
      expectRefusal(await client.get(`/analytics/liability?top=${top}`), 'validation_error', 'top');
    }
  });

  it('Amounts without an exchange rate are counted', async () => {
    await decide(client, { outputs: { amount: 5, currency: 'EUR' } });
    await decide(client, { outputs: { amount: 5, currency: 'USD' } });
    expect((await read()).unconverted_count).toBe(1);
  });

  it('Realised losses are shown separately and included', async () => {
    const { decision_id } = await decide(client);
    const { id } = await recordEvent(client, { amount: '80.00' });
    const body = link(decision_id, id, { link_type: 'loss', correlation_strength: 1 });
    await client.post('/links', body);
    const { aggregate: sums, by_action_type } = await read();
    expect(sums.realised).toBe('80.00');
    expect(Number(sums.low90)).toBeGreaterThanOrEqual(80);
    expect(by_action_type).toMatchObject([{ realised: '80.00', exposure: sums.expected }]);
  });

  it('What is lost already is no part of what may still be lost, nor of the largest exposures', async () => {
    const lost = await decide(client, { outputs: { amount: 900 } });
    const small = await decide(client, { outputs: { amount: 1000 } });
    await lose(lost.decision_id, '899.99');
    const { aggregate: sums, by_action_type, top_decisions } = await read();
    const { liability } = dataOf(
      await client.get(`/decisions/${lost.decision_id}`),
      DecisionInDetail,
    );
    expect(top_decisions.map(({ decision_id }) => decision_id)).toEqual([
      ...[small.decision_id, lost.decision_id],
    ]);
    const totals = by_action_type.map(({ exposure, ...more }) => ({ expected: exposure, ...more }));
    for (const { open, realised, expected } of [sums, ...totals, ...top_decisions]) {
      expect(cents(open) + cents(realised)).toBe(cents(expected));
    }
    expect(cents(liability?.open)).toBe(cents(liability?.expected) - 89_999);
    expect(top_decisions[1]).toMatchObject({ realised: '899.99', open: liability?.open });
  });
});

describe('Reliability', () => {
  it('States every confirmed loss, and which of them the last nightly run counted', async () => {
    const long = new Date(bed.clock.now() - 100 * DAY).toISOString();
    const [first, second] = [
      await decide(client, { timestamp: long, outputs: { amount: 50 } }),
      await decide(client, { timestamp: long, outputs: { amount: 60 } }),
    ];
    const denied = await decide(client, {
      timestamp: long,
      outputs: { amount: 70, approved: false },
    });
    const scope = await scopeOf(bed, client);
    const reliability = async () => {
      const answer = await client.get('/analytics/liability/backtest');
      const { agents, learned_at } = dataOf(answer, LiabilityBacktest);
      const { decisions, losses, confirmed_losses } = agents[0] ?? {};
      return { learned_at, decisions, losses, confirmed_losses };
    };
    expect(await reliability()).toEqual({ learned_at: null });
    const night = new Date(bed.clock.now()).toISOString();
    await nightly(bed, scope);
    const none = { learned_at: night, decisions: 2, losses: 0, confirmed_losses: 0 };
    expect(await reliability()).toEqual(none);
    await lose(first.decision_id, '10.00');
    await lose(denied.decision_id, '20.00');
    expect(await reliability()).toEqual({ ...none, confirmed_losses: 2 });
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    expect(await reliability()).toMatchObject({ decisions: 2, losses: 1, confirmed_losses: 2 });
    expect(second.liability?.expected).not.toBe('0.00');
  });
});

describe('Threshold', () => {
  it('The threshold is compared with the whole ledger, whatever the filter', async () => {
    await decide(client, { agent_id: 'big', outputs: { amount: 100_000 } });
    const { aggregate: sums } = await read();
    const set = async (threshold: string | null) => {
      const answer = await client.patch('/settings', {
        liability: { exposure_alert_threshold: threshold },
      });
      expect(answer.status).toBe(200);
    };
    const crossed = async (query = '') => {
      const { threshold, is_threshold_crossed } = await read(query);
      return [threshold, is_threshold_crossed];
    };
    await set('1');
    expect(await crossed()).toEqual(['1.00', true]);
    expect(await crossed('?agent_id=small')).toEqual(['1.00', true]);
    expect(await crossed('?end=2020-01-01')).toEqual(['1.00', true]);
    await set(String(Number(sums.expected) + 1));
    expect((await crossed())[1]).toBe(false);
    await set(null);
    expect(await crossed()).toEqual([null, false]);
  });
});

describe('Trend', () => {
  it('The trend has a point for each nightly run and the current state', async () => {
    const scope = await scopeOf(bed, client);
    await decide(client, { agent_id: 'one', outputs: { amount: 100 } });
    await decide(client, { agent_id: 'other', outputs: { amount: 1000 } });
    const before = await read();
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    const first = await read();
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    await decide(client, { agent_id: 'one', outputs: { amount: 50 } });
    const { trend, aggregate: sums } = await read();
    expect(trend.map(({ is_now, decisions }) => [is_now, decisions])).toEqual([
      [false, 2],
      [false, 2],
      [true, 3],
    ]);
    expect(trend.at(-1)).toMatchObject({ day: today(), exposure: sums.expected });
    expect(trend[0]?.exposure).toBe(first.aggregate.expected);
    expect(Number(trend[0]?.exposure)).toBeLessThan(Number(before.aggregate.expected));
    const days = trend.map(({ day }) => day);
    expect([...days].sort()).toEqual(days);

    const own = await read('?agent_id=one');
    expect(own.trend.map(({ decisions }) => decisions)).toEqual([1, 1, 2]);
    const day = days[0] ?? '';
    const past = await read(`?start=${day}&end=${day}`);
    expect(past.trend).toEqual(trend.slice(0, 1));
    const late = await read(`?start=${new Date(bed.clock.now() + DAY).toISOString().slice(0, 10)}`);
    expect(late.trend).toEqual([]);
  });
});
