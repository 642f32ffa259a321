import { type Static, Type } from 'typebox';
import { CLOSED, FILTERS, Money, MoneyOrNull, STATE } from './analytics-figures.js';

export const RunningCostQuery = Type.Object(FILTERS, CLOSED);
export type RunningCostQuery = Static<typeof RunningCostQuery>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** What decisions cost to make, beside the money that they moved. */
const FIGURES = {
  decisions: Count('Decisions, by their own time.'),
  costed: Count('Those whose running cost is known.'),
  unpriced: Count(
    'Those that state tokens, but no cost: the settings hold no price of their model on their day, or not all of ' +
      'what is needed is stated.',
  ),
  unconverted: Count('Those whose cost no exchange rate converts.'),
  cost: Money,
  net: Money,
  net_after_cost: Money,
  cost_per_decision: MoneyOrNull('cost ÷ decisions; null without decisions.'),
  net_per_decision: MoneyOrNull('net_after_cost ÷ decisions; null without decisions.'),
};

/** The answer to GET /analytics/running-cost. */
export const RunningCosts = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  ...STATE,
  ...FIGURES,
  by_month: Type.Array(
    Type.Object({ month: Type.String({ description: 'UTC, such as 2026-04.' }), ...FIGURES }),
    { description: 'In order. Costs by the times of decisions, net by those of events.' },
  ),
});
export type RunningCosts = Static<typeof RunningCosts>;
