import { BudgetCheck, BudgetCheckQuery, BudgetStates } from '@decision-ledger/contract/budget';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import type { Http } from '../../../http/types.js';
import type { SettingsReader } from '../../access/settings/index.js';
import { checkBudgets, readBudgets } from './read-budgets.js';

export interface BudgetRouteTools extends EndpointTools {
  readonly settings: SettingsReader;
}

const tag = 'budgets';

/** The budgets of the settings, for people and for agents that are about to act. */
export function budgetRoutes(app: Http, tools: BudgetRouteTools): void {
  const { settings } = tools;
  read(app, tools, {
    path: '/budgets',
    tag,
    operationId: 'listBudgets',
    summary: 'List the budgets of the settings, and how far each is used',
    data: BudgetStates,
    answer: async ({ ledger }) => readBudgets(ledger, await settings.get(ledger.scope)),
  });
  read(app, tools, {
    path: '/budgets/check',
    tag,
    operationId: 'checkBudgets',
    summary: 'Check what is left of the budgets that an agent comes under, before it acts',
    query: BudgetCheckQuery,
    data: BudgetCheck,
    answer: async ({ ledger, query }) =>
      checkBudgets(ledger, await settings.get(ledger.scope), query),
  });
}
