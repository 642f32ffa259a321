import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import {
  BUDGET_STEPS,
  type Budget,
  type BudgetCheck,
  type BudgetCheckQuery,
  type BudgetState,
  type BudgetStates,
} from '@decision-ledger/contract/budget';
import type { Settings } from '@decision-ledger/contract/settings';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { measureLimits } from './measure-limits.js';
import { type Limit, type Measured, measured, type Period } from './rules/limits.js';
import { budgetLimit, isUsed } from './rules/settings-limits.js';
import { readState } from './stored-state.js';

/** How far every budget is used. */
export async function readBudgets(ledger: LedgerReader, settings: Settings): Promise<BudgetStates> {
  const budgets = await describeBudgets(ledger, settings, settings.budgets);
  return { currency: settings.base_currency, budgets };
}

/** How far those budgets are used that something which an agent is about to do comes under. */
export async function checkBudgets(
  ledger: LedgerReader,
  settings: Settings,
  { agent_id, action_type }: BudgetCheckQuery,
): Promise<BudgetCheck> {
  const applying = settings.budgets.filter(
    (budget) =>
      (budget.agent_id ?? agent_id) === agent_id &&
      (budget.action_type ?? action_type) === action_type,
  );
  const budgets = await describeBudgets(ledger, settings, applying);
  return {
    currency: settings.base_currency,
    is_exceeded: budgets.some(({ status }) => status === 'exceeded'),
    budgets,
  };
}

/** From what was measured last; only what is new since then, such as a period, is measured now. */
async function describeBudgets(
  ledger: LedgerReader,
  settings: Settings,
  budgets: readonly Budget[],
): Promise<BudgetState[]> {
  if (budgets.length === 0) return [];
  const { base_currency: currency } = settings;
  const now = ledger.clock.now();
  const all = budgets.map((budget) => ({ budget, limit: budgetLimit(budget, currency, now) }));
  const { limits = {} } = (await readState(ledger)) ?? {};
  const lastOf = ({ key, definition }: Limit) =>
    limits[key]?.definition === definition ? limits[key] : undefined;
  const isNew = ({ limit }: { readonly limit: Limit }) => lastOf(limit) === undefined;
  const used = await measureLimits(
    ledger,
    all.filter(isNew).map(({ limit }) => limit),
    settings,
  );
  return all.map(({ budget, limit }) => {
    const sum = used.get(limit);
    const found = sum === undefined ? lastOf(limit) : measured(limit, sum, undefined, now).now;
    return describe(budget, limit.period, currency, found);
  });
}

function describe(
  { id, measure, agent_id, action_type, period, amount }: Budget,
  dates: Period | null,
  currency: string,
  found: Measured | undefined,
): BudgetState {
  const whole = roundToMinorUnit(amount, currency);
  const used = found === undefined ? null : roundToMinorUnit(found.used, currency);
  return {
    ...{ id, measure, period: period ?? null },
    ...{ agent_id: agent_id ?? null, action_type: action_type ?? null },
    period_start: dates === null ? null : formatTimestamp(dates.start),
    amount: whole,
    used,
    left: used === null ? null : roundToMinorUnit(new Big(whole).minus(used).toFixed(), currency),
    status: statusOf(found, amount),
    reached_percent: reachedOf(found, amount),
    measured_at: found === undefined ? null : formatTimestamp(found.at),
  };
}

function statusOf(found: Measured | undefined, amount: string): BudgetState['status'] {
  if (found !== undefined && new Big(found.used).gt(amount)) return 'exceeded';
  return found?.isWhole === true ? 'within' : 'unknown';
}

const reachedOf = (found: Measured | undefined, amount: string): BudgetState['reached_percent'] =>
  BUDGET_STEPS.findLast(
    (percent) => found !== undefined && isUsed(new Big(found.used), amount, percent),
  ) ?? 0;
