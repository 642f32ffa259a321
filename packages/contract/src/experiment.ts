import { type Static, Type } from 'typebox';
import { FORMAT } from './analytics-figures.js';
import { Moment, NextCursor, PageParameters, Timestamp } from './shared.js';

const closed = { additionalProperties: false };

/** The longest name of an experiment or of an arm, in characters. */
export const MAX_EXPERIMENT_NAME = 200;

/** The fewest matured decisions of an arm, and the fewest customers with one, that are compared. */
export const MIN_ARM_DECISIONS = 20;
export const MIN_ARM_CUSTOMERS = 20;

/** The fewest customers, over all arms, whose decisions moved money. */
export const MIN_PAYING_CUSTOMERS = 20;

/** Defaults of the parameters of GET /analytics/experiments/{id}. */
export const EXPERIMENT_DEFAULTS = {
  horizonDays: 30,
  historyDays: 90,
  comparison: 'control',
  labels: 'confirmed,matched',
  covariates: 'prior_net,prior_decisions',
} as const;

/** What is known of a customer before its first assignment. */
export const COVARIATES = ['prior_net', 'prior_decisions'] as const;
export type Covariate = (typeof COVARIATES)[number];

/** How sure a link is: made by people, suggested with a key of its own, or suggested without one. */
export const MONEY_LABELS = ['confirmed', 'matched', 'guessed'] as const;
export type MoneyLabel = (typeof MONEY_LABELS)[number];

const Money = Type.String({ description: 'Decimal, in the base currency, to its minor unit.' });
const Mean = Type.String({
  description: 'Decimal, in the base currency, for each decision, with six digits after the point.',
});
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const listOf = (names: readonly string[], description: string) =>
  Type.String({
    pattern: `^(${names.join('|')})(,(${names.join('|')})){0,${names.length - 1}}$`,
    description: `${description} Separated by commas: ${names.join(', ')}.`,
    'x-problem': `must be one or more of ${names.join(', ')}, separated by commas`,
  });

export const ExperimentListQuery = Type.Object({ ...FORMAT, ...PageParameters }, closed);
export type ExperimentListQuery = Static<typeof ExperimentListQuery>;

const ListedArm = Type.Object({
  arm: Type.String(),
  decisions: Count('Decisions assigned to the arm.'),
});

const ListedExperiment = Type.Object({
  experiment_id: Type.String(),
  decisions: Count('Assigned decisions.'),
  ignored: Count('Decisions that name the experiment in a mark that is not valid.'),
  first_at: Timestamp,
  last_at: Timestamp,
  arm_count: Count('Number of arms.'),
  arms: Type.Array(ListedArm, { description: 'By name, at most 20.' }),
});
export type ListedExperiment = Static<typeof ListedExperiment>;

/** The answer to GET /analytics/experiments. */
export const ExperimentPage = Type.Object({
  experiments: Type.Array(ListedExperiment, { description: 'By identifier.' }),
  unreadable: Count('Decisions with a member `experiment` that names no experiment.'),
  next_cursor: NextCursor,
});
export type ExperimentPage = Static<typeof ExperimentPage>;

const days = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

export const ExperimentQuery = Type.Object(
  {
    horizon_days: days(
      'Days after a decision in which its money counts. A decision counts once they have passed. ' +
        `Default: ${EXPERIMENT_DEFAULTS.horizonDays}.`,
      730,
    ),
    as_of: Type.Optional(
      Moment(
        'Decisions count whose horizon has passed at this time. Default: the last full hour. Not in the ' +
          'future.',
      ),
    ),
    comparison: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_EXPERIMENT_NAME,
        description: `The arm that the others are compared with. Default: ${EXPERIMENT_DEFAULTS.comparison}.`,
      }),
    ),
    labels: Type.Optional(
      listOf(MONEY_LABELS, `The links whose money counts. Default: ${EXPERIMENT_DEFAULTS.labels}.`),
    ),
    covariates: Type.Optional(
      listOf(
        [...COVARIATES, 'none'],
        'What the differences are adjusted for, known before the first assignment of a customer. ' +
          `Default: ${EXPERIMENT_DEFAULTS.covariates}.`,
      ),
    ),
    history_days: days(
      `Days before the first assignment that the covariates cover. Default: ${EXPERIMENT_DEFAULTS.historyDays}.`,
      365,
    ),
    customer_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The member of `metadata` that names the customer. Default: `analytics.customer_key` of the ' +
          'settings.',
      }),
    ),
    savings: Type.Optional(
      Type.Enum(['include', 'exclude'], {
        description:
          'Whether links of the type `saving` count. They are claims, not payments. Default: include.',
      }),
    ),
    ...FORMAT,
  },
  closed,
);
export type ExperimentQuery = Static<typeof ExperimentQuery>;

/** Why arms are not compared. */
export const NOT_COMPARABLE = [
  'too_many_assignments',
  'too_many_arms',
  'no_comparison_arm',
  'single_arm',
  'too_few_decisions',
  'too_few_customers',
  'too_little_money',
  'propensities_missing',
  'propensities_inconsistent',
  'too_many_ignored',
  'sample_ratio',
  'assignment_imbalance',
  'unequal_links',
] as const;
export type NotComparable = (typeof NOT_COMPARABLE)[number];

/** What makes a comparison doubtful. */
export const EXPERIMENT_WARNINGS = [
  'sample_ratio',
  'assignment_imbalance',
  'unequal_links',
  'assignments_ignored',
  'amounts_unconverted',
  'few_paying_customers',
  'savings_in_one_arm',
] as const;
export type ExperimentWarning = (typeof EXPERIMENT_WARNINGS)[number];

const Remark = <Code extends string>(codes: readonly Code[]) =>
  Type.Object({ code: Type.Enum([...codes]), message: Type.String() });

const Interval = Type.Object({ value: Mean, low: Mean, high: Mean });

const Arm = Type.Object({
  arm: Type.String(),
  decisions: Count('Matured decisions.'),
  customers: Count('Customers with a matured decision.'),
  paying_customers: Count('Customers whose matured decisions moved money.'),
  net: Type.String({
    description: 'Sum of the money within the horizon: decimal, to the minor unit.',
  }),
  claimed_savings: Type.String({
    description:
      'The part of all links of the type `saving` within the horizon, whether or not they count: ' +
      'claims, not measured.',
  }),
  mean: Type.Union([Interval, Type.Null()], {
    description:
      'Estimated mean money of a decision if all were in this arm; null if not compared.',
  }),
});

const Measured = Type.Object(
  { net: Money, low: Money, high: Money },
  {
    description:
      'The difference × the matured decisions of the arm: what they moved beyond the comparison. A ' +
      'memo item: no other figure includes it.',
  },
);

const Difference = Type.Object({
  arm: Type.String(),
  ...Interval.properties,
  standard_error: Mean,
  degrees_of_freedom: Type.Number({ minimum: 1 }),
  minimum_detectable: Type.String({
    description:
      'The difference that an experiment of this precision finds in 80 % of cases at the level of ' +
      '5 %: decimal, six digits.',
  }),
  without_covariates: Interval,
  measured: Measured,
});

const SampleRatio = Type.Object({
  statistic: Type.Number({ minimum: 0 }),
  degrees_of_freedom: Type.Integer({ minimum: 1 }),
  p_value: Type.Number({ minimum: 0, maximum: 1 }),
  is_suspicious: Type.Boolean({ description: 'Whether the p value is under 0.001.' }),
});

/** The answer to GET /analytics/experiments/{id}. */
export const ExperimentAnalysis = Type.Object({
  experiment_id: Type.String(),
  status: Type.Enum(['comparable', 'not_comparable']),
  reasons: Type.Array(Remark(NOT_COMPARABLE), {
    description: 'Why the arms are not compared; empty if they are.',
  }),
  warnings: Type.Array(Remark(EXPERIMENT_WARNINGS)),
  as_of: Timestamp,
  horizon_days: Type.Integer(),
  labels: Type.Array(Type.Enum([...MONEY_LABELS])),
  customer_key: Type.String(),
  comparison: Type.String(),
  currency: Type.String({ description: 'The base currency of the settings.' }),
  estimator: Type.Union([Type.Enum(['aipw', 'hajek']), Type.Null()], {
    description:
      'aipw: weighted by propensities and adjusted for the covariates. hajek: weighted only. Null if ' +
      'the arms are not compared.',
  }),
  covariates: Type.Array(Type.Enum([...COVARIATES]), {
    description: 'Those that were used; empty if none varies or an arm has too few customers.',
  }),
  decisions: Count('Assigned decisions.'),
  matured: Count('Those whose horizon has passed: only they count.'),
  ignored: Count('Decisions that name the experiment in a mark that is not valid.'),
  without_customer: Count('Matured decisions without a customer; each counts as one of its own.'),
  arms: Type.Array(Arm, { description: 'By name.' }),
  differences: Type.Array(Difference, {
    description: 'Each other arm less the comparison arm, by name, with its 95 % interval.',
  }),
  sample_ratio: Type.Union([SampleRatio, Type.Null()]),
  unconverted: Type.Array(
    Type.Object({ arm: Type.String(), currency: Type.String(), amount: Type.String() }),
    { description: 'Money within the horizon that no rate converts; excluded from all figures.' },
  ),
});
export type ExperimentAnalysis = Static<typeof ExperimentAnalysis>;
