import { BudgetStates } from '@decision-ledger/contract/budget';
import { RunningCosts } from '@decision-ledger/contract/running-cost';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';
import { erase } from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import { link, recordEvent } from '../../support/money.js';
import { type Engine, openTestService, type TestService } from '../../support/service.js';

let bed: TestService;
let client: Client;

/** What decisions cost to make is what they state, or their tokens at the prices of the settings. */
export function runningCostSuite(engine: Engine): void {
  describe(`Running costs on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
    });
    afterAll(() => bed.close());
    figures();
    erasure();
  });
}

type Fields = Readonly<Record<string, unknown>>;

async function set(change: Fields): Promise<void> {
  const answered = await client.patch('/settings', change);
  expect(answered.status, answered.text).toBe(200);
}

const spend = (metadata: Fields, fields: Fields = {}) =>
  decide(client, { timestamp: '2026-03-10T12:00:00Z', metadata, ...fields });
const usage = (input: number, output: number, more: Fields = {}) => ({
  model: 'm-1',
  usage: { input_tokens: input, output_tokens: output, ...more },
});
const costs = async (query = '') =>
  dataOf(await client.get(`/analytics/running-cost${query}`), RunningCosts);
const price = (from: string, fields: Fields = {}) => ({
  ...{ model: 'm-1', from, currency: 'USD', input: '3', output: '15' },
  ...fields,
});

function figures(): void {
  it('Stated costs and priced tokens add up, by month, beside the net and never in it', async () => {
    const { decision_id } = await spend({ cost: { amount: '0.35', currency: 'USD' } });
    await spend(usage(100_000, 20_000));
    await spend(usage(1_000_000, 0), { timestamp: '2026-04-01T00:00:00Z' });
    await spend({}, { timestamp: '2026-04-02T00:00:00Z' });
    const { id } = await recordEvent(client, { amount: '10', timestamp: '2026-03-11T00:00:00Z' });
    await client.post('/links', link(decision_id, id, { correlation_strength: 1 }));
    await set({ model_prices: [price('2026-01-01')] });
    const all = await costs();
    expect(all).toMatchObject({
      ...{ decisions: 4, costed: 3, unpriced: 0, unconverted: 0 },
      ...{ cost: '3.95', net: '10.00', net_after_cost: '6.05' },
      ...{ cost_per_decision: '0.987500', net_per_decision: '1.512500' },
    });
    expect(all.by_month).toMatchObject([
      { month: '2026-03', decisions: 2, cost: '0.95', net: '10.00', net_after_cost: '9.05' },
      {
        month: '2026-04',
        decisions: 2,
        costed: 1,
        cost: '3.00',
        net: '0.00',
        net_after_cost: '-3.00',
      },
    ]);
  });

  it('Tokens cost what the price of their day says, also one that is added later', async () => {
    await spend(usage(1_000_000, 0), { timestamp: '2026-02-28T23:59:59.999Z' });
    await spend(usage(1_000_000, 0, { cached_input_tokens: 400_000 }), {
      timestamp: '2026-03-01T00:00:00Z',
    });
    expect(await costs()).toMatchObject({ cost: '0.00', costed: 0, unpriced: 2 });
    const newer = price('2026-03-01', { input: '2', cached_input: '0.5' });
    await set({ model_prices: [newer] });
    expect(await costs()).toMatchObject({ cost: '1.40', costed: 1, unpriced: 1 });
    await set({
      model_prices: [newer, price('2026-01-01', { model: 'm-2' }), price('2026-01-01')],
    });
    expect(await costs()).toMatchObject({ cost: '4.40', costed: 2, unpriced: 0 });
  });

  it('A price in another currency is converted by the rate of the day of the decision', async () => {
    await set({ model_prices: [price('2026-01-01', { currency: 'EUR' })] });
    await spend(usage(1_000_000, 0));
    expect(await costs()).toMatchObject({ cost: '0.00', unconverted: 1 });
    const rate = (date: string, value: string) => ({ from: 'EUR', to: 'USD', date, rate: value });
    await set({ exchange_rates: [rate('2026-01-01', '1.1'), rate('2026-03-11', '2')] });
    expect(await costs()).toMatchObject({ cost: '3.30', unconverted: 0, costed: 1 });
  });

  it('The agent, the action type and the range choose decisions', async () => {
    const cost = { cost: '1 USD' };
    await spend(cost, { agent_id: 'a', action_type: 'x' });
    await spend(cost, { agent_id: 'a', action_type: 'y' });
    await spend(cost, { agent_id: 'b', action_type: 'x' });
    await spend(cost, { agent_id: 'a', action_type: 'x', timestamp: '2026-03-10T18:00:00Z' });
    expect(await costs('?agent_id=a')).toMatchObject({ cost: '3.00', decisions: 3 });
    expect(await costs('?agent_id=a&action_type=x')).toMatchObject({ cost: '2.00', decisions: 2 });
    const noon = '2026-03-10T12:00:00.001Z';
    expect(await costs(`?start=${noon}`)).toMatchObject({ cost: '1.00', decisions: 1 });
    expect(await costs(`?end=${noon}`)).toMatchObject({ cost: '3.00' });
  });

  it('A budget limits it by the times of decisions', async () => {
    const budget = {
      id: 'own',
      measure: 'running_cost',
      period: 'day',
      agent_id: 'a',
      amount: '2',
    };
    await set({ budgets: [budget], model_prices: [price('2026-01-01')] });
    const timestamp = new Date(bed.clock.now()).toISOString();
    await spend({ cost: '1.50 USD' }, { agent_id: 'a', timestamp });
    await spend(usage(200_000, 0), { agent_id: 'a', timestamp });
    await spend({ cost: '9 USD' }, { agent_id: 'b', timestamp });
    await spend({ cost: '9 USD' }, { agent_id: 'a' });
    const { budgets } = dataOf(await client.get('/budgets'), BudgetStates);
    expect(budgets).toMatchObject([
      { used: '2.10', left: '-0.10', status: 'exceeded', reached_percent: 100 },
    ]);
  });
}

function erasure(): void {
  it('An erasure of the metadata takes the cost along, and others do not', async () => {
    const { decision_id } = await spend({ cost: '1 USD' });
    await spend({ cost: '2 USD' });
    await erase(client, decision_id, 'inputs', 'outputs');
    expect(await costs()).toMatchObject({ cost: '3.00' });
    await erase(client, decision_id, 'metadata');
    expect(await costs()).toMatchObject({ cost: '2.00', costed: 1, decisions: 2 });
  });
}
