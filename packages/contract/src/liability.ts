import { type Static, Type } from 'typebox';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

const Money = (description: string) =>
  Type.String({ description: `${description} Decimal, to the minor unit of the currency.` });

const Factor = (description: string) => Type.Number({ description });

/** The factors of an estimate. */
const Parts = Type.Object({
  base_rate: Factor('Probability of a loss for decisions of the action type.'),
  confidence_factor: Factor('Effect of the confidence on the odds of a loss.'),
  human_factor: Factor('Effect of a human in the loop on the odds of a loss.'),
  loss_probability: Factor('Probability of a loss for this decision.'),
  amount_at_risk: Money('The amount that could be lost.'),
  amount_basis: Type.Enum(['stated', 'linked', 'median', 'matrix'], {
    description:
      'Source of that amount: the outputs, the links, the median of the action type, or the risk ' +
      'matrix.',
  }),
  severity: Factor('Share of that amount that a loss takes.'),
  response_cost: Money('Cost of handling a loss, in addition to the amount.'),
  open_share: Factor('Remaining share of the loss horizon, 1 at first.'),
  realised: Money('Net loss on confirmed links to date.'),
  unconverted_count: Type.Integer({
    description: 'Amounts excluded because no exchange rate applies.',
  }),
});

/** An estimate of what a decision may cost in total. */
export const Liability = Type.Object({
  exposure: Money('Expected cost, including realised losses.'),
  low: Money('5th percentile.'),
  high: Money('95th percentile.'),
  currency: Type.String({
    description: 'The base currency at the time of the estimate (ISO 4217).',
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
