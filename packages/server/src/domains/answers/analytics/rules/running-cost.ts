import { minorUnits } from '@decision-ledger/contract/currency';
import type { RunningCosts } from '@decision-ledger/contract/running-cost';
import { Big } from 'big.js';
import { apportion, sumAmounts, ZERO } from './books.js';
import { difference, HALF_EVEN, printAmount } from './money.js';

/** Running costs of a month: of those decisions whose cost is known, and how many others there are. */
export interface MonthCost {
  /** UTC, such as 2026-04. */
  readonly month: string;
  /** In the base currency. */
  readonly cost: Big;
  readonly costed: number;
  readonly unpriced: number;
  readonly unconverted: number;
}

/** Net money, printed. */
export interface Nets {
  readonly total: string;
  readonly byMonth: ReadonlyMap<string, string>;
}

type Figures = RunningCosts['by_month'][number];

/** Costs beside the money of the same range, as a memo: the months add up to the whole. */
export function printRunningCosts(
  currency: string,
  costs: readonly MonthCost[],
  decided: ReadonlyMap<string, number>,
  nets: Nets,
): Omit<Figures, 'month'> & { readonly by_month: Figures[] } {
  const digits = minorUnits(currency);
  const exact = costs.map(({ cost }) => cost);
  const whole = sumAmounts(exact).round(digits, HALF_EVEN);
  const printed = apportion(exact, whole, digits);
  const known = new Map(
    costs.map((of, index) => [of.month, { ...of, cost: printed[index] ?? ZERO }]),
  );
  const months = [...new Set([...known.keys(), ...decided.keys(), ...nets.byMonth.keys()])].sort();
  const nothing = { costed: 0, unpriced: 0, unconverted: 0, cost: ZERO };
  const sum = (of: (cost: MonthCost) => number) => costs.reduce((all, one) => all + of(one), 0);
  const all = [...decided.values()].reduce((before, one) => before + one, 0);
  const total = {
    costed: sum(({ costed }) => costed),
    unpriced: sum(({ unpriced }) => unpriced),
    unconverted: sum(({ unconverted }) => unconverted),
    cost: whole,
  };
  return {
    ...figuresOf(currency, total, all, nets.total),
    by_month: months.map((month) => ({
      month,
      ...figuresOf(
        currency,
        known.get(month) ?? nothing,
        decided.get(month) ?? 0,
        nets.byMonth.get(month) ?? printAmount(ZERO, currency),
      ),
    })),
  };
}

function figuresOf(
  currency: string,
  { costed, unpriced, unconverted, cost }: Omit<MonthCost, 'month'>,
  decisions: number,
  net: string,
): Omit<Figures, 'month'> {
  const printed = printAmount(cost, currency);
  const after = difference(net, printed);
  return {
    ...{ decisions, costed, unpriced, unconverted },
    ...{ cost: printed, net, net_after_cost: after },
    cost_per_decision: perDecision(printed, decisions, currency),
    net_per_decision: perDecision(after, decisions, currency),
  };
}

/** Costs of single decisions are often less than a minor unit. */
const MORE_DIGITS = 4;

function perDecision(amount: string, decisions: number, currency: string): string | null {
  if (decisions === 0) return null;
  return new Big(amount).div(decisions).toFixed(minorUnits(currency) + MORE_DIGITS, HALF_EVEN);
}
