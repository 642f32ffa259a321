import { ExposureAnalysis } from '@decision-ledger/contract/analytics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '#server/domains/access/settings/index';
import { aggregate, readModel } from '#server/domains/judgement/liability/index';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { decide, nightly } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';

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

const today = () => new Date(bed.clock.now()).toISOString().slice(0, 10);

describe('Liability analytics', () => {
  it('The liability of an empty ledger is zero', async () => {
    const none = '0.00';
    expect(await read()).toEqual({
      ...{ currency: 'USD', as_of: expect.any(String), version: 'liability/v1', decisions: 0 },
      aggregate: { exposure: none, expected: none, p50: none, p95: none, realised: none },
      ...{ by_action_type: [], top_decisions: [], unconverted_count: 0, estimates_pending: 0 },
      trend: [
        {
          ...{ day: today(), is_now: true, currency: 'USD' },
          ...{ decisions: 0, exposure: none, realised: none },
        },
      ],
      ...{ threshold: null, is_threshold_crossed: false },
    });
  });

  it('The percentiles are those that the model draws from the sums of each action type', async () => {
    const scope = await scopeOf(bed, client);
    const made = [];
    for (const [action_type, amount] of [
      ['loan', 20_000],
      ['loan', 500],
      ['refund', 200],
    ]) {
      made.push(await decide(client, { action_type, outputs: { amount } }));
    }
    const { settings, experience } = await readModel(
      bed.service.db,
      scope,
      await readSettings(bed.service.db, scope),
    );
    const stored = await withOwner(bed, (owner) =>
      owner.query<Record<'action_type' | 'exposure' | 'realised' | 'stake', string>>(
        `select action_type, exposure::text, realised::text, stake::text
        from liability_estimates where ledger_id = $1`,
        [scope.ledgerId],
      ),
    );
    const pools = ['loan', 'refund'].map((actionType) => {
      const own = stored.rows.filter(({ action_type }) => action_type === actionType);
      const sum = (of: (row: (typeof own)[number]) => number) =>
        own.reduce((before, row) => before + of(row), 0);
      const expected = ({ exposure, realised }: (typeof own)[number]) =>
        Number(exposure) - Number(realised);
      return {
        ...{ actionType, expected: sum(expected), squares: sum((row) => expected(row) ** 2) },
        ...{ stake: sum(({ stake }) => Number(stake)), realised: 0 },
      };
    });
    const drawn = aggregate(pools, settings, experience, `${scope.ledgerId} ${today()}`);
    const first = await read();
    expect(Number(first.aggregate.p50)).toBeCloseTo(drawn.p50, 1);
    expect(Number(first.aggregate.p95)).toBeCloseTo(drawn.p95, 1);
    expect(Number(first.aggregate.p95)).toBeGreaterThan(Number(first.aggregate.exposure));
    expect(await read()).toEqual(first);
    const { liability } = await decide(client, { action_type: 'loan', outputs: { amount: 9e6 } });
    const more = await read();
    expect(Number(more.aggregate.p95)).toBeGreaterThan(Number(liability?.exposure));
  });

  it('The top decisions match their own estimates, and their number is as requested', async () => {
    const made = [];
    for (const amount of [300, 100, 200]) made.push(await decide(client, { outputs: { amount } }));
    const { top_decisions } = await read('?top=2');
    expect(top_decisions).toEqual(
      [made[0], made[2]].map((receipt) => ({
        ...{ decision_id: receipt?.decision_id, agent_id: 'agent', action_type: 'refund' },
        timestamp: receipt?.timestamp,
        exposure: receipt?.liability?.exposure,
        low: receipt?.liability?.low,
        high: receipt?.liability?.high,
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
    expect(Number(sums.p50)).toBeGreaterThanOrEqual(80);
    expect(by_action_type).toMatchObject([{ realised: '80.00', exposure: sums.exposure }]);
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
    await set(String(Number(sums.exposure) + 1));
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
    expect(trend.at(-1)).toMatchObject({ day: today(), exposure: sums.exposure });
    expect(trend[0]?.exposure).toBe(first.aggregate.exposure);
    expect(Number(trend[0]?.exposure)).toBeLessThan(Number(before.aggregate.exposure));
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
