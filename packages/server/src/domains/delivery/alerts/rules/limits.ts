import type { AlertNotice } from '@decision-ledger/contract/alert';
import type { BudgetMeasure } from '@decision-ledger/contract/budget';
import type { Big } from 'big.js';

/** What is told of a sum that is watched. */
export type LimitNotice = Extract<
  AlertNotice,
  { readonly type: 'budget.reached' | 'exposure.exceeded' }
>;

/** A share of a limit that is reported. */
export interface Step {
  readonly isReached: (used: Big) => boolean;
  /** @param used decimal text */
  readonly notice: (used: string) => LimitNotice;
}

/** ms; the end is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** A sum that is watched. */
export interface Limit {
  /** Names it among those of a ledger. */
  readonly key: string;
  /** What is told holds for this definition and period alone. */
  readonly definition: string;
  readonly measure: BudgetMeasure;
  /** Null: of all. */
  readonly agentId: string | null;
  readonly actionType: string | null;
  /** Null: what holds now is measured. */
  readonly period: Period | null;
  /** Each is reached only if the one before it is. */
  readonly steps: readonly Step[];
}

/** A sum, in the base currency. */
export interface Used {
  readonly amount: Big;
  /** Whether rates convert all of it. */
  readonly isWhole: boolean;
}

/** What was measured of a limit last, and told; it is stored. */
export interface Measured {
  readonly definition: string;
  /** Decimal text. */
  readonly used: string;
  readonly isWhole: boolean;
  /** ms. */
  readonly at: number;
  /** How many of its steps were told. */
  readonly told: number;
}

/**
 * What is told after a measurement: each step of a period once. What has no period is told again after it was less.
 * @param before of the last measurement, if there was one
 * @param at ms
 */
export function measured(
  { definition, period, steps }: Limit,
  { amount, isWhole }: Used,
  before: Measured | undefined,
  at: number,
): { readonly now: Measured; readonly notices: readonly LimitNotice[] } {
  const used = amount.toFixed();
  const known = before?.definition === definition ? before.told : 0;
  const reached = steps.filter((step) => step.isReached(amount)).length;
  const told = period === null ? reached : Math.max(known, reached);
  return {
    now: { definition, used, isWhole, at, told },
    notices: steps.slice(known, reached).map((step) => step.notice(used)),
  };
}
