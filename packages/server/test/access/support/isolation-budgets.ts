import { BudgetCheck, BudgetStates } from '@decision-ledger/contract/budget';
import { expect } from 'vitest';
import { dataOf } from '../../support/client.js';
import type { Case, Ledger } from './isolation-ledger.js';

/** The cases of the routes that show budgets. */
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
};

async function limit({ client, mark }: Ledger): Promise<void> {
  const budgets = [{ id: mark, measure: 'refunds', period: 'month', amount: '100' }];
  expect((await client.patch('/settings', { budgets })).status).toBe(200);
}
