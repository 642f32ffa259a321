// Generated from the contract by scripts/client-types.js.

import type { AnalysisQuery, Money, State } from './analytics-figures.js';

export type RunningCostQuery = AnalysisQuery;

export interface RunningCosts extends State {
  /** The base currency of the settings. */
  readonly currency: string;
  /** Decisions, by their own time. */
  readonly decisions: number;
  /** Those whose running cost is known. */
  readonly costed: number;
  /** Those that state tokens, but no cost: the settings hold no price of their model on their day, or not all of what is needed is stated. */
  readonly unpriced: number;
  /** Those whose cost no exchange rate converts. */
  readonly unconverted: number;
  readonly cost: Money;
  readonly net: Money;
  readonly net_after_cost: Money;
  /** cost ÷ decisions; null without decisions. */
  readonly cost_per_decision: string | null;
  /** net_after_cost ÷ decisions; null without decisions. */
  readonly net_per_decision: string | null;
  /** In order. Costs by the times of decisions, net by those of events. */
  readonly by_month: readonly {
    /** UTC, such as 2026-04. */
    readonly month: string;
    /** Decisions, by their own time. */
    readonly decisions: number;
    /** Those whose running cost is known. */
    readonly costed: number;
    /** Those that state tokens, but no cost: the settings hold no price of their model on their day, or not all of what is needed is stated. */
    readonly unpriced: number;
    /** Those whose cost no exchange rate converts. */
    readonly unconverted: number;
    readonly cost: Money;
    readonly net: Money;
    readonly net_after_cost: Money;
    /** cost ÷ decisions; null without decisions. */
    readonly cost_per_decision: string | null;
    /** net_after_cost ÷ decisions; null without decisions. */
    readonly net_per_decision: string | null;
  }[];
}
