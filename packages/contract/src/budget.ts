import { type Static, Type } from 'typebox';
import { amount, CLOSED, Word } from './setting-fields.js';
import { Name, Timestamp } from './shared.js';

/** What a budget limits: a sum of a period, but for the exposure, which is what may still be lost now. */
export const BUDGET_MEASURES = ['loss', 'refunds', 'running_cost', 'open_exposure'] as const;
export type BudgetMeasure = (typeof BUDGET_MEASURES)[number];

export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** The shares of a budget that are reported, in percent, in ascending order. */
export const BUDGET_STEPS = [80, 100] as const;

/** A budget of the settings. */
export const Budget = Type.Object(
  {
    id: Type.String({ ...Word, description: 'Name of the budget, unique in the settings.' }),
    measure: Type.Enum([...BUDGET_MEASURES], {
      description:
        'loss and refunds: net of what was reversed, of confirmed and matched links, by the times of the events. ' +
        'running_cost: what decisions cost to make, by their own times. open_exposure: what may still be lost.',
    }),
    period: Type.Optional(
      Type.Enum([...BUDGET_PERIODS], {
        description: 'The day or the month, UTC, whose sum is limited. Not for open_exposure.',
      }),
    ),
    agent_id: Type.Optional(Name('Only decisions of this agent. Default: all agents.')),
    action_type: Type.Optional(Name('Only this action type. Default: all of them.')),
    amount: amount('The budget, in the base currency.'),
  },
  CLOSED,
);
export type Budget = Static<typeof Budget>;

const ScopeOf = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${what}; null: all of them.` });

const IDENTITY = {
  measure: Type.Enum([...BUDGET_MEASURES]),
  agent_id: ScopeOf('The agent'),
  action_type: ScopeOf('The action type'),
  period: Type.Union([Type.Enum([...BUDGET_PERIODS]), Type.Null()], {
    description: 'Null for the exposure, which has none.',
  }),
};

const Decimal = (description: string) => Type.String({ description });

/** How far a budget is used. */
export const BudgetState = Type.Object({
  id: Type.String(),
  ...IDENTITY,
  period_start: Type.Union([Timestamp, Type.Null()]),
  amount: Decimal('The budget, in the base currency.'),
  used: Type.Union([Type.String(), Type.Null()], {
    description: 'Null while estimates move to another base currency.',
  }),
  left: Type.Union([Type.String(), Type.Null()], {
    description: 'amount − used: below zero if the budget is exceeded.',
  }),
  status: Type.Enum(['within', 'exceeded', 'unknown'], {
    description:
      'exceeded: more is used than the budget. unknown: some of it is not known, because no exchange rate converts it.',
  }),
  reached_percent: Type.Enum([0, ...BUDGET_STEPS], {
    description: 'The highest share that is reached, of those that are reported.',
  }),
  measured_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When `used` was measured: every 15 seconds.',
  }),
});
export type BudgetState = Static<typeof BudgetState>;

/** The answer to GET /budgets. */
export const BudgetStates = Type.Object({
  currency: Type.String({ description: 'The base currency.' }),
  budgets: Type.Array(BudgetState, { description: 'In the order of the settings.' }),
});
export type BudgetStates = Static<typeof BudgetStates>;

/** The query of GET /budgets/check. */
export const BudgetCheckQuery = Type.Object(
  {
    agent_id: Name('The agent that is about to act.'),
    action_type: Type.Optional(
      Name('What it is about to do. Without it, budgets of action types are left out.'),
    ),
  },
  CLOSED,
);
export type BudgetCheckQuery = Static<typeof BudgetCheckQuery>;

/** The answer to GET /budgets/check. */
export const BudgetCheck = Type.Object({
  currency: BudgetStates.properties.currency,
  is_exceeded: Type.Boolean({ description: 'Whether one of the budgets is exceeded.' }),
  budgets: Type.Array(BudgetState, { description: 'Those that apply.' }),
});
export type BudgetCheck = Static<typeof BudgetCheck>;

/** A share of a budget is used. */
export const BudgetReached = Type.Object(
  {
    budget: Decimal('Its id in the settings.'),
    ...IDENTITY,
    period_start: BudgetState.properties.period_start,
    percent: Type.Enum([...BUDGET_STEPS], { description: 'The share that is reached.' }),
    currency: Decimal('The base currency.'),
    used: Decimal('A decimal.'),
    amount: Decimal('The budget, a decimal.'),
  },
  CLOSED,
);
export type BudgetReached = Static<typeof BudgetReached>;
