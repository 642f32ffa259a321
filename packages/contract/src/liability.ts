import { type Static, Type } from 'typebox';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

const Money = (description: string) =>
  Type.String({ description: `${description} Decimal, to the minor unit of the currency.` });

const Factor = (description: string) => Type.Number({ description });

/** What made an estimate up. */
const Parts = Type.Object({
  base_rate: Factor('Probability of a loss for decisions of the action type.'),
  confidence_factor: Factor('What the confidence does to the odds of a loss.'),
  human_factor: Factor('What a human in the loop does to the odds of a loss.'),
  loss_probability: Factor('Probability of a loss for this decision.'),
  amount_at_risk: Money('What could be lost.'),
  amount_basis: Type.Enum(['stated', 'linked', 'median', 'matrix'], {
    description:
      'Where that amount comes from: the outputs, the links, the median of the action type, or the ' +
      'risk matrix.',
  }),
  severity: Factor('Share of that amount that a loss takes.'),
  response_cost: Money('What a loss costs besides.'),
  open_share: Factor('Share of the loss horizon that is still to come, 1 at first.'),
  realised: Money('Net loss on confirmed links so far.'),
  unconverted_count: Type.Integer({
    description: 'Amounts that were left out because no exchange rate converts them.',
  }),
});

/** What a decision could still cost, as estimated at one time. */
export const Liability = Type.Object({
  exposure: Money('Expected cost, losses that came already included.'),
  low: Money('5th percentile.'),
  high: Money('95th percentile.'),
  currency: Type.String({ description: 'The base currency when it was estimated (ISO 4217).' }),
  version: Type.String({ description: 'Version of the model.' }),
  revision: Type.Integer({
    description: 'From 0; one more whenever the exposure changes by a minor unit or more.',
  }),
  estimated_at: Timestamp,
  parts: Parts,
});
export type Liability = Static<typeof Liability>;

/** The query of GET /decisions/{id}/liability. */
export const LiabilityHistoryQuery = Type.Object(PageParameters, { additionalProperties: false });

/** The answer to GET /decisions/{id}/liability. */
export const LiabilityHistory = Type.Object({
  estimates: Type.Array(Liability, { description: 'Newest first; the first one holds.' }),
  next_cursor: NextCursor,
});

/** What is told when an exposure has changed by a minor unit or more. */
export const LiabilityUpdate = Type.Object({
  decision_id: Id('dec'),
  ...Type.Pick(Liability, ['exposure', 'low', 'high', 'currency', 'version', 'revision'])
    .properties,
  previous_exposure: Money('The exposure before.'),
});
export type LiabilityUpdate = Static<typeof LiabilityUpdate>;
