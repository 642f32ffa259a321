import type { Ledger } from '@decision-ledger/client';
import type { BudgetState } from '@decision-ledger/client/api/budget';
import { queryOptions } from '@tanstack/react-query';

/** A process measures every 15 seconds. */
const MEASURED_MS = 15_000;

/** Every budget, and how far it is used. */
export function budgetsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['budgets'],
    queryFn: ({ signal }) => ledger.analytics.budgets({ signal }),
    refetchInterval: MEASURED_MS,
  });
}

type Limited = Pick<BudgetState, 'measure'> & {
  readonly agent_id?: string | null;
  readonly action_type?: string | null;
  readonly period?: BudgetState['period'];
};

export const MEASURES: Readonly<Record<BudgetState['measure'], string>> = {
  loss: 'Losses',
  refunds: 'Refunds',
  running_cost: 'Running cost',
  open_exposure: 'What may still be lost',
};

/** What a budget limits: `Refunds of refund-bot, by day`. */
export function wordsOf({ measure, agent_id, action_type, period }: Limited): string {
  const scope = [agent_id, action_type].filter((name) => name != null).join(', ');
  const of = scope === '' ? '' : ` of ${scope}`;
  const by = period == null ? '' : `, by ${period}`;
  return `${MEASURES[measure]}${of}${by}`;
}
