// Generated from the contract by scripts/client-types.js.

export interface BudgetState {
  readonly id: string;
  readonly measure: 'loss' | 'refunds' | 'running_cost' | 'open_exposure';
  /** The agent; null: all of them. */
  readonly agent_id: string | null;
  /** The action type; null: all of them. */
  readonly action_type: string | null;
  /** Null for the exposure, which has none. */
  readonly period: 'day' | 'month' | null;
  readonly period_start: string | null;
  /** The budget, in the base currency. */
  readonly amount: string;
  /** Null while estimates move to another base currency. */
  readonly used: string | null;
  /** amount − used: below zero if the budget is exceeded. */
  readonly left: string | null;
  /** exceeded: more is used than the budget. unknown: some of it is not known, because no exchange rate converts it. */
  readonly status: 'within' | 'exceeded' | 'unknown';
  /** The highest share that is reached, of those that are reported. */
  readonly reached_percent: 0 | 80 | 100;
  /** When `used` was measured: every 15 seconds. */
  readonly measured_at: string | null;
}

export interface BudgetStates {
  /** The base currency. */
  readonly currency: string;
  /** In the order of the settings. */
  readonly budgets: readonly BudgetState[];
}

export interface BudgetCheckQuery {
  /** The agent that is about to act. */
  readonly agent_id: string;
  /** What it is about to do. Without it, budgets of action types are left out. */
  readonly action_type?: string;
}

export interface BudgetCheck {
  /** The base currency. */
  readonly currency: string;
  /** Whether one of the budgets is exceeded. */
  readonly is_exceeded: boolean;
  /** Those that apply. */
  readonly budgets: readonly BudgetState[];
}
