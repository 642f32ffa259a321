import { type Static, Type } from 'typebox';
import { CLOSED, FORMAT } from './analytics-figures.js';
import { LiabilitySettings } from './liability-settings.js';
import { Id, Name, NextCursor, PageParameters, Timestamp } from './shared.js';
import { PayloadUnits } from './source-profiles.js';

const Money = (description: string) =>
  Type.String({ description: `${description} Decimal, to the minor unit of the currency.` });

const Factor = (description: string) => Type.Number({ description });

/** The factors of an estimate. */
const Parts = Type.Object({
  base_rate: Factor('Probability of a loss for decisions of the action type.'),
  rate_basis: Type.Enum(['prior', 'experience'], {
    description:
      '`prior`: the base rate stems from the benchmark or the matrix, because few outcomes are known.',
  }),
  agent_factor: Factor('Loss rate of the agent ÷ that of the action type.'),
  version_factor: Factor('Loss rate of the version of the agent ÷ that of the agent.'),
  confidence_factor: Factor('Effect of the confidence on the odds of a loss.'),
  human_factor: Factor('Effect of a human in the loop on the odds of a loss.'),
  amount_factor: Factor(
    'Effect of the stated amount on the odds of a loss, and of the lower limit of the probability.',
  ),
  loss_probability: Factor('Probability of a loss for this decision.'),
  uncertainty: Factor('Relative variance of the expected cost.'),
  amount_at_risk: Money('The amount that could be lost.'),
  amount_basis: Type.Enum(['approved', 'claimed', 'denied', 'read', 'linked', 'median', 'matrix'], {
    description:
      'Source of that amount. approved: the decision states it. claimed: somebody asked for it. denied: nothing, because ' +
      'the decision was denied or failed. read: nothing, because it looks up, asks or advises. Otherwise the links, the ' +
      'median of the action type, or the risk matrix.',
  }),
  outlier: Type.Boolean({
    description:
      'Whether the stated amount is beyond ten times the largest that was approved before for the action type. A claim ' +
      'that is one does not count.',
  }),
  severity: Factor('Share of that amount that a loss takes on average.'),
  severity_spread: Factor('Standard deviation of the logarithm of that share.'),
  response_cost: Money('Cost of handling a loss, in addition to the amount.'),
  open_share: Factor('Remaining share of the loss horizon, 1 at first.'),
  realised: Money('Net loss on confirmed links to date.'),
  realised_currency: Type.String({
    description: 'The base currency. It differs from `currency` where no rate converts the amount.',
  }),
  unconverted_count: Type.Integer({
    description: 'Amounts excluded because no exchange rate applies.',
  }),
});

/** An estimate of what a decision may cost in total. */
export const Liability = Type.Object({
  expected: Money('Expected cost, including realised losses in the same currency.'),
  expected_low: Money('5th percentile of the uncertainty of that expectation.'),
  expected_high: Money('95th percentile of the uncertainty of that expectation.'),
  open: Money('What may still be lost: `expected` without the realised losses in it.'),
  loss_if_any_p50: Money('Median cost of a loss, should there be one.'),
  loss_if_any_p95: Money('95th percentile of that cost.'),
  currency: Type.String({
    description:
      'The base currency at the time of the estimate (ISO 4217); that of the stated amount if no ' +
      'rate converts it.',
  }),
  version: Type.String({ description: 'Version of the model.' }),
  snapshot: Type.Integer({
    description: 'The settings and outcomes that it was made with, as of the model endpoint.',
  }),
  revision: Type.Integer({
    description: 'From 0; incremented when the exposure changes by at least one minor unit.',
  }),
  estimated_at: Timestamp,
  parts: Parts,
});
export type Liability = Static<typeof Liability>;

/** The query of GET /decisions/{id}/liability. */
export const LiabilityHistoryQuery = Type.Object(PageParameters, { additionalProperties: false });

/** The answer to GET /decisions/{id}/liability. */
export const LiabilityHistory = Type.Object({
  estimates: Type.Array(Liability, { description: 'Newest first; the first is the current one.' }),
  next_cursor: NextCursor,
});

/** The notification sent when an expected cost changes by at least one minor unit. */
export const LiabilityUpdate = Type.Object({
  decision_id: Id('dec'),
  ...Type.Pick(Liability, [
    'expected',
    'expected_low',
    'expected_high',
    'currency',
    'version',
    'revision',
  ]).properties,
  previous_expected: Money('The previous expected cost.'),
});
export type LiabilityUpdate = Static<typeof LiabilityUpdate>;

const RatioTest = Type.Union(
  [Type.Object({ statistic: Type.Number(), p_value: Type.Number() }), Type.Null()],
  {
    description:
      'A likelihood-ratio test with one degree of freedom. Null for fewer than 24 months.',
  },
);

const BacktestMonth = Type.Object({
  month: Type.String({ description: 'UTC, as YYYY-MM.' }),
  made_at: Timestamp,
  version: Type.String(),
  currency: Type.String(),
  basis: Type.Enum(['prior', 'experience']),
  decisions: Type.Integer({ description: 'Decisions of the month at the time of the forecast.' }),
  expected: Type.String(),
  low90: Type.String(),
  high90: Type.String(),
  var95: Type.String(),
  es95: Type.String(),
  realised: Type.Union([Type.String(), Type.Null()], {
    description:
      'Losses of the decisions of the month to date; null if estimates are no longer in the currency of the forecast.',
  }),
  status: Type.Enum(['open', 'compared', 'changed'], {
    description:
      '`open`: losses may still become known. `changed`: decisions were added to the month later, or ' +
      'the base currency changed, so that the two cannot be compared.',
  }),
  is_exception: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the losses exceeded var95; null unless compared.',
  }),
});

const AgentReliability = Type.Object({
  agent_id: Type.String(),
  decisions: Type.Number({ description: 'Resolved decisions; recent ones count in part.' }),
  losses: Type.Number({
    description: 'Of these, the decisions that cost money, as of `learned_at`.',
  }),
  confirmed_losses: Type.Integer({
    description:
      'Decisions of the agent with a net loss on confirmed links now. Beyond `losses`: those ' +
      'confirmed since `learned_at`, and those of denied decisions, which no rate counts.',
  }),
  stated_losses: Type.Number({ description: 'Losses that the stated confidence implies.' }),
  expected_losses: Type.Number({
    description: 'Losses that the model expects of these decisions.',
  }),
  brier: Type.Number({ description: 'Mean of (confidence − outcome)²; 0 is best.' }),
  bins: Type.Array(
    Type.Object({
      bin: Type.Integer({ description: 'Tenth of the stated confidence: 9 is 0.9 to 1.' }),
      decisions: Type.Number(),
      losses: Type.Number(),
      mean_confidence: Type.Number(),
      observed_success: Type.Number(),
      expected_loss_rate: Type.Number(),
    }),
  ),
});

export const BacktestQuery = Type.Object(FORMAT, CLOSED);
export type BacktestQuery = Static<typeof BacktestQuery>;

/** The answer to GET /analytics/liability/backtest. */
export const LiabilityBacktest = Type.Object({
  months: Type.Array(BacktestMonth, { description: 'Oldest first.' }),
  periods: Type.Integer({ description: 'Months that were compared.' }),
  exceptions: Type.Integer({ description: 'Compared months whose losses exceeded var95.' }),
  coverage: Type.Union([Type.Number(), Type.Null()], {
    description: 'Share of compared months whose losses lay within low90 and high90.',
  }),
  kupiec: RatioTest,
  christoffersen: RatioTest,
  verdict: Type.Enum(['consistent', 'too_low', 'too_high', 'clustered', 'too_few_periods']),
  learned_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'When outcomes were last counted: the nightly run. Null before the first one and while one ' +
      'counts them.',
  }),
  agents: Type.Array(AgentReliability, {
    description: 'Stated confidence against outcomes; most decisions first, at most 100.',
  }),
});
export type LiabilityBacktest = Static<typeof LiabilityBacktest>;

export const LiabilityModelQuery = Type.Object(
  {
    action_type: Name('The action type whose figures are returned.'),
    snapshot: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Default: the newest.' }),
    ),
  },
  { additionalProperties: false },
);
export type LiabilityModelQuery = Static<typeof LiabilityModelQuery>;

const Tally = Type.Object({ decisions: Type.Number(), losses: Type.Number() });
const BetaShapes = Type.Object({ alpha: Type.Number(), beta: Type.Number() });

const LearnedVariant = Type.Object({
  agent_id: Type.String({ description: 'Empty: agents that are not kept one by one.' }),
  variant: Type.String({ description: 'A hash of the version; empty if none is stated.' }),
  outcomes: Type.Array(
    Type.Object({
      confidence_bin: Type.Integer(),
      oversight: Type.Enum(['none', 'human_in_loop', 'reviewer']),
      decisions: Type.Number({ description: 'Resolved decisions; recent ones count in part.' }),
      losses: Type.Number(),
      confidence: Type.Number({ description: 'Sum of the stated confidence.' }),
      confidence_squares: Type.Number(),
      confidence_lost: Type.Number({ description: 'Sum of the confidence of losses.' }),
    }),
  ),
  size_factor: Type.Number({
    description: 'Mean effect of the amounts of its decisions on the odds of a loss.',
  }),
  usual: Tally,
  rate: Type.Number({ description: 'Posterior mean at a confidence and oversight of factor 1.' }),
});

/** The answer to GET /analytics/liability/model. */
export const LiabilityModelFigures = Type.Object({
  snapshot: Type.Integer(),
  version: Type.String(),
  currency: Type.String(),
  settings: LiabilitySettings,
  payload_units: Type.Array(PayloadUnits, {
    description: 'What the profiles of sources say of units in payloads.',
  }),
  action_type: Type.String(),
  spread: Type.Object(
    { agents: Type.Number(), versions: Type.Number() },
    { description: 'Relative variance of loss rates between agents, and between versions.' },
  ),
  rate: BetaShapes,
  usual_rate: Type.Number({ description: 'The rate against which factors are learned.' }),
  human_factors: Type.Object({
    none: Type.Number(),
    human_in_loop: Type.Number(),
    reviewer: Type.Number(),
  }),
  severity: Type.Object({
    count: Type.Integer(),
    sum: Type.Number({ description: 'Of losses ÷ amounts at risk.' }),
    squares: Type.Number(),
    mean: Type.Number(),
    spread: Type.Number(),
    uncertainty: Type.Number(),
  }),
  usual_amount: Type.Number(),
  largest_amount: Type.Union([Type.Number(), Type.Null()], {
    description:
      'The largest approved amount; ten times as much is an outlier. Null: too few are known.',
  }),
  sizes: Type.Array(
    Type.Object({
      band: Type.Integer({ description: '3 contains amounts from 4³ to below 4⁴.' }),
      decisions: Type.Number(),
      losses: Type.Number(),
      expected: Type.Number({ description: 'Losses at the rates of the versions that decided.' }),
    }),
    { description: 'Outcomes of decisions that state an amount, by its size.' },
  ),
  variants: Type.Array(LearnedVariant),
});
export type LiabilityModelFigures = Static<typeof LiabilityModelFigures>;
