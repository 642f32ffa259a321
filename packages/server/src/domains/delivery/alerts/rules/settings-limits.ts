import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import {
  BUDGET_STEPS,
  type Budget,
  type BudgetPeriod,
  type BudgetReached,
} from '@decision-ledger/contract/budget';
import type { Settings } from '@decision-ledger/contract/settings';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import type { Limit, Period, Step } from './limits.js';

const DAY = 86_400_000;

/** The day or month (UTC) of a time (ms). */
export function periodOf(period: BudgetPeriod, at: number): Period {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (period === 'month')
    return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
  const start = Date.UTC(year, month, date.getUTCDate());
  return { start, end: start + DAY };
}

/** Whether a share of a budget is used: something has to be, also of a budget of zero. */
export const isUsed = (used: Big, amount: string, percent: number): boolean =>
  used.gt(0) && used.times(100).gte(new Big(amount).times(percent));

/** Everything that the settings of a ledger limit, at a time (ms). */
export function limitsOf(settings: Settings, now: number): Limit[] {
  const { base_currency, budgets, liability } = settings;
  const { exposure_alert_threshold: threshold } = liability;
  return [
    ...budgets.map((budget) => budgetLimit(budget, base_currency, now)),
    ...(threshold === null ? [] : [exposureLimit(threshold, base_currency)]),
  ];
}

export function budgetLimit(budget: Budget, currency: string, now: number): Limit {
  const { id, measure, amount } = budget;
  const [agent_id, action_type] = [budget.agent_id ?? null, budget.action_type ?? null];
  const period = budget.period === undefined ? null : periodOf(budget.period, now);
  const about = {
    ...{ budget: id, measure, agent_id, action_type, period: budget.period ?? null },
    period_start: period === null ? null : formatTimestamp(period.start),
    ...{ currency, amount: roundToMinorUnit(amount, currency) },
  };
  return {
    key: `budget ${id}`,
    definition: JSON.stringify({ ...about, amount }),
    measure,
    agentId: agent_id,
    actionType: action_type,
    period,
    steps: BUDGET_STEPS.map((percent) => budgetStep(about, amount, percent)),
  };
}

function budgetStep(
  about: Omit<BudgetReached, 'percent' | 'used'>,
  amount: string,
  percent: BudgetReached['percent'],
): Step {
  return {
    isReached: (used) => isUsed(used, amount, percent),
    notice: (used) => ({
      type: 'budget.reached',
      data: { ...about, percent, used: roundToMinorUnit(used, about.currency) },
    }),
  };
}

/** The threshold of the settings of the liability model: more of it is told. */
function exposureLimit(threshold: string, currency: string): Limit {
  const step: Step = {
    isReached: (open) => open.gt(threshold),
    notice: (open) => ({
      type: 'exposure.exceeded',
      data: {
        currency,
        open: roundToMinorUnit(open, currency),
        threshold: roundToMinorUnit(threshold, currency),
      },
    }),
  };
  return {
    key: 'exposure',
    definition: threshold,
    ...{ measure: 'open_exposure', agentId: null, actionType: null, period: null },
    steps: [step],
  };
}
