import { BudgetCheck, BudgetStates } from '@decision-ledger/contract/budget';
import { RunningCosts } from '@decision-ledger/contract/running-cost';
import { expect } from 'vitest';
import { dataOf, decision } from '../../support/client.js';
import type { Case, Ledger } from './isolation-ledger.js';

/** The cases of the routes that show budgets, and running costs that they may limit. */
export const BUDGET_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/budgets': async (own, foreign) => {
    await limit(own);
    await limit(foreign);
    const { budgets } = dataOf(await own.client.get('/budgets'), BudgetStates);
    expect(budgets.map(({ id }) => id)).toEqual([own.mark]);
  },
  'GET /api/v1/budgets/check': async (own, foreign) => {
    await limit(own);
    await limit(foreign);
    const answer = await own.client.get('/budgets/check?agent_id=same');
    expect(dataOf(answer, BudgetCheck).budgets.map(({ id }) => id)).toEqual([own.mark]);
  },
  'GET /api/v1/analytics/running-cost': async (own, foreign) => {
    await spend(own);
    await spend(foreign);
    const answer = await own.client.get('/analytics/running-cost?agent_id=spender');
    expect(dataOf(answer, RunningCosts)).toMatchObject({ costed: 1, decisions: 1 });
  },
};

/** A decision that states its cost, recorded once. */
async function spend({ client }: Ledger): Promise<void> {
  const metadata = { cost: '1 USD' };
  const body = decision({ agent_id: 'spender', action_type: 'spend', metadata });
  const recorded = await client.post('/decisions', body, { 'idempotency-key': 'spent' });
  expect([200, 201]).toContain(recorded.status);
}

async function limit({ client, mark }: Ledger): Promise<void> {
  const budgets = [{ id: mark, measure: 'refunds', period: 'month', amount: '100' }];
  expect((await client.patch('/settings', { budgets })).status).toBe(200);
}
