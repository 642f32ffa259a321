import { type Static, Type } from 'typebox';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

const Money = (description: string) =>
  Type.String({ description: `${description} Decimal, to the minor unit of the currency.` });

const Factor = (description: string) => Type.Number({ description });

/** The factors of an estimate. */
const Parts = Type.Object({
  base_rate: Factor('Probability of a loss for decisions of the action type.'),
  rate_basis: Type.Union([Type.Enum(['prior', 'experience']), Type.Null()], {
    description:
      '`prior`: the base rate stems from the benchmark or the matrix, because few outcomes are known. ' +
      'Null in estimates of liability/v1, like every other null.',
  }),
  agent_factor: Type.Union([Type.Number(), Type.Null()], {
    description: 'Loss rate of the agent ÷ that of the action type.',
  }),
  version_factor: Type.Union([Type.Number(), Type.Null()], {
    description: 'Loss rate of the version of the agent ÷ that of the agent.',
  }),
  confidence_factor: Factor('Effect of the confidence on the odds of a loss.'),
  human_factor: Factor('Effect of a human in the loop on the odds of a loss.'),
  loss_probability: Factor('Probability of a loss for this decision.'),
  uncertainty: Type.Union([Type.Number(), Type.Null()], {
    description: 'Relative variance of the expected cost.',
  }),
  amount_at_risk: Money('The amount that could be lost.'),
  amount_basis: Type.Enum(['stated', 'denied', 'linked', 'median', 'matrix'], {
    description:
      'Source of that amount: the decision states it, or states that it was denied or failed; the ' +
      'links, the median of the action type, or the risk matrix.',
  }),
  severity: Factor('Share of that amount that a loss takes on average.'),
  severity_spread: Type.Union([Type.Number(), Type.Null()], {
    description: 'Standard deviation of the logarithm of that share.',
  }),
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
  loss_if_any_p50: Type.Union([Money('Median cost of a loss, should there be one.'), Type.Null()]),
  loss_if_any_p95: Type.Union([Money('95th percentile of that cost.'), Type.Null()]),
  exposure: Money('Former name of `expected`; removed in the next version.'),
  low: Money('Former name of `expected_low`; removed in the next version.'),
  high: Money('Former name of `expected_high`; removed in the next version.'),
  currency: Type.String({
    description:
      'The base currency at the time of the estimate (ISO 4217); that of the stated amount if no ' +
      'rate converts it.',
  }),
  version: Type.String({ description: 'Version of the model.' }),
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

/** The notification sent when an exposure changes by at least one minor unit. */
export const LiabilityUpdate = Type.Object({
  decision_id: Id('dec'),
  ...Type.Pick(Liability, ['exposure', 'low', 'high', 'currency', 'version', 'revision'])
    .properties,
  previous_exposure: Money('The previous exposure.'),
});
export type LiabilityUpdate = Static<typeof LiabilityUpdate>;
