import { type Static, Type } from 'typebox';
import { WEIGHTED_SIGNALS } from './attribution-signals.js';
import { byName } from './by-name.js';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

const Strength = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How much of the event the decision caused, 0 to 1.',
});

const LinkType = Type.Enum(['revenue', 'cost', 'loss', 'refund', 'saving']);

const STATUSES = ['CONFIRMED', 'ML_SUGGESTED', 'ML_INFERRED', 'REJECTED'] as const;
const LinkStatus = Type.Enum([...STATUSES], {
  description:
    'CONFIRMED: made by a caller. ML_SUGGESTED: made by the engine, waits for a review. ' +
    'ML_INFERRED: suggested and confirmed. REJECTED: suggested and rejected.',
});

/** The body of POST /links. */
export const LinkBody = Type.Object(
  {
    decision_id: Id('dec', 'A decision of this ledger.'),
    financial_event_id: Id('evt', 'A financial event of this ledger.'),
    correlation_strength: Strength,
    link_type: LinkType,
    attribution_method: Type.Enum(['direct', 'manual']),
    notes: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
export type LinkBody = Static<typeof LinkBody>;

const Moment = Type.Union([Timestamp, Type.Null()]);

const Probability = Type.Number({ minimum: 0, maximum: 1 });
const Part = Type.Union([Probability, Type.Null()], { description: 'Null where it is missing.' });

/** How the engine came to suggest a link: enough to work it out again. */
export const LinkScore = Type.Object({
  version: Type.String({ description: 'Names the model.' }),
  probability: Type.Number({
    ...Probability,
    description: 'That the decision is a cause, whatever speaks for others.',
  }),
  share: Type.Number({
    ...Probability,
    description: 'Its part of the event in competition; the strength of the link.',
  }),
  exact_share: Probability,
  uncalibrated_logit: Type.Number({
    description: 'Log-odds of the share before reviews calibrated it.',
  }),
  candidates: Type.Integer({ description: 'How many decisions competed.' }),
  rivals: Type.Array(
    Type.Object({ decision_id: Type.String(), share: Probability, probability: Probability }),
    { description: 'The candidates that came nearest, suggested or not.' },
  ),
  parts: Type.Object(
    byName(WEIGHTED_SIGNALS, () => Part),
    { description: 'The weighted parts, each from 0 to 1.' },
  ),
  evidence: Type.Record(Type.String(), Type.Number(), {
    description:
      'What each piece of evidence adds to the log-odds; they sum to those of probability.',
  }),
  weights: Type.Record(Type.String(), Type.Number()),
  half_life_hours: Type.Number(),
  calibration: Type.Object({ slope: Type.Number(), intercept: Type.Number() }),
});
export type LinkScore = Static<typeof LinkScore>;

/** A link between a decision and a financial event. */
export const Link = Type.Object({
  id: Id('lnk'),
  decision_id: Id('dec'),
  financial_event_id: Id('evt'),
  correlation_strength: Strength,
  link_type: LinkType,
  attribution_method: Type.Enum(['direct', 'manual', 'probabilistic']),
  status: LinkStatus,
  notes: Type.Optional(Type.String()),
  score: Type.Optional(LinkScore),
  created_by: Type.String(),
  created_at: Timestamp,
  reviewed_by: Type.Optional(Type.String()),
  reviewed_at: Type.Optional(Timestamp),
  deleted_at: Moment,
});
export type Link = Static<typeof Link>;

/** A link with the evidence for it. */
const ExplainedLink = Type.Object({
  ...Link.properties,
  waterfall: Type.Optional(
    Type.Array(
      Type.Object({
        evidence: Type.String(),
        log_odds: Type.Number({ description: 'What it adds.' }),
        probability: Type.Number({ description: 'With all that stands before it.' }),
      }),
      { description: 'The evidence of a suggestion, one step after the other.' },
    ),
  ),
});
export type ExplainedLink = Static<typeof ExplainedLink>;

/** The answer to GET /links/{id}. */
export const LinkInDetail = Type.Object({
  ...ExplainedLink.properties,
  other_links: Type.Array(Link, {
    description:
      'The other links of the same event that stand, newest first, as many as a page of GET /links holds.',
  }),
  other_links_next_cursor: Type.Union(NextCursor.anyOf, {
    description:
      'Where there are more: the cursor with which GET /links?financial_event_id={id} goes on. ' +
      'Null where there are none.',
  }),
});
export type LinkInDetail = Static<typeof LinkInDetail>;

export const LinkPage = Type.Object({ links: Type.Array(Link), next_cursor: NextCursor });
export type LinkPage = Static<typeof LinkPage>;

export const LinkQuery = Type.Object(
  {
    decision_id: Type.Optional(Id('dec', 'Only links of this decision.')),
    financial_event_id: Type.Optional(Id('evt', 'Only links of this event.')),
    status: Type.Optional(LinkStatus),
    min_strength: Type.Optional(Strength),
    include_deleted: Type.Optional(
      Type.Boolean({ description: 'Also soft-deleted links; false unless told.' }),
    ),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type LinkQuery = Static<typeof LinkQuery>;
