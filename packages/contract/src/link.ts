import { type Static, Type } from 'typebox';
import { ReviewPreview } from './dry-run.js';
import { LinkLabel, LinkType, Reversal } from './money-signs.js';
import { Id, NextCursor, PageParameters, PersonName, Timestamp } from './shared.js';

/** The person who reviewed, as the activity chain records it. */
export const Reviewer = Type.Object({
  name: Type.String(),
  source: Type.Enum(['session', 'self_declared'], {
    description:
      'session: the person of the session. self_declared: stated in the body by the holder of a key.',
  }),
});
export type Reviewer = Static<typeof Reviewer>;

/** The member of a request body that names the reviewer. */
export const DECLARED_REVIEWER = {
  reviewer: Type.Optional(
    PersonName(
      'The person who reviewed; recorded as self-declared. Only with a key: a session names its person.',
    ),
  ),
};

const Strength = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Share of the event that the decision caused, 0 to 1.',
});

const STATUSES = ['CONFIRMED', 'ML_SUGGESTED', 'ML_INFERRED', 'REJECTED', 'INHERITED'] as const;
const LinkStatus = Type.Enum([...STATUSES], {
  description:
    'CONFIRMED: created by a caller. ML_SUGGESTED: suggested by the model, not yet reviewed. ' +
    'ML_INFERRED: suggested or inherited, and confirmed. REJECTED: suggested or inherited, and rejected. ' +
    'INHERITED: of a refund or another reversal, taken from its payment.',
});

/** The body of POST /links. */
export const LinkBody = Type.Object(
  {
    decision_id: Id('dec', 'A decision of this ledger.'),
    financial_event_id: Id('evt', 'A financial event of this ledger.'),
    correlation_strength: Strength,
    link_type: LinkType,
    reversal: Type.Optional(Reversal),
    attribution_method: Type.Enum(['direct', 'manual']),
    notes: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);
export type LinkBody = Static<typeof LinkBody>;

/** The body of POST /links/{id}/confirm, which may be absent. */
export const LinkConfirmation = Type.Object(
  {
    strength: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          'The share of the event that the decision caused. Default: all that links which people ' +
          'created or confirmed leave.',
      }),
    ),
    ...DECLARED_REVIEWER,
  },
  { additionalProperties: false },
);
export type LinkConfirmation = Static<typeof LinkConfirmation>;

/** The body of POST /links/{id}/reject, which may be absent. */
export const LinkRejection = Type.Object(DECLARED_REVIEWER, { additionalProperties: false });
export type LinkRejection = Static<typeof LinkRejection>;

const Moment = Type.Union([Timestamp, Type.Null()]);

const Probability = Type.Number({ minimum: 0, maximum: 1 });
/** The score of a suggested link: with the model that it names, everything needed to recompute it. */
export const LinkScore = Type.Object({
  version: Type.Literal('attribution/v1', { description: 'Version of the model.' }),
  model: Type.Integer({
    minimum: 1,
    description: 'The model of this ledger, as in attribution.model_changed.',
  }),
  probability: Type.Number({
    ...Probability,
    description: 'Probability that the decision is the cause if no other candidate existed.',
  }),
  share: Type.Number({
    ...Probability,
    description: 'Share of the event, in competition with the other candidates and with none.',
  }),
  none_share: Type.Number({ ...Probability, description: 'Share of "no recorded decision".' }),
  left_share: Type.Number({
    ...Probability,
    description: 'Share of the event that links of people leave. All shares sum to it.',
  }),
  candidates: Type.Integer({ description: 'Number of candidate decisions.' }),
  rivals: Type.Array(
    Type.Object({ decision_id: Type.String(), share: Probability, probability: Probability }),
    { description: 'The highest-ranked other candidates, suggested or not.' },
  ),
  features: Type.Record(Type.String(), Type.Number(), {
    description: 'The value of each feature; one that is missing is 0.',
  }),
  evidence: Type.Record(Type.String(), Type.Number(), {
    description:
      'Feature × weight. They sum to the log-odds of the decision against "no recorded decision".',
  }),
});
export type LinkScore = Static<typeof LinkScore>;

/** A link between a decision and a financial event. */
export const Link = Type.Object({
  id: Id('lnk'),
  decision_id: Id('dec'),
  financial_event_id: Id('evt'),
  correlation_strength: Strength,
  link_type: LinkType,
  reversal: Reversal,
  attribution_method: Type.Enum(['direct', 'manual', 'probabilistic', 'inherited']),
  status: LinkStatus,
  label: Type.Union([LinkLabel, Type.Null()], {
    description: 'How certain the cause is. Null for a rejected or deleted link.',
  }),
  notes: Type.Optional(Type.String()),
  score: Type.Optional(LinkScore),
  inherited_from: Type.Optional(
    Id('evt', 'Of a link that is or was inherited: the event that led the payment.'),
  ),
  created_by: Type.String(),
  created_at: Timestamp,
  reviewed_by: Type.Optional(Type.String()),
  reviewed_at: Type.Optional(Timestamp),
  deleted_at: Moment,
});
export type Link = Static<typeof Link>;

/** The answer to a review of a link: the link as it is now, or would be. */
export const ReviewedLink = Type.Object({
  ...Link.properties,
  dry_run: Type.Optional(ReviewPreview),
});
export type ReviewedLink = Static<typeof ReviewedLink>;

/** The answer to POST /links: the link as it is now, or would be. */
export const MadeLink = Type.Object({
  ...ReviewedLink.properties,
  event_links: Type.Optional(
    Type.Array(Link, {
      description: 'Only with dry_run=true: the active links of the event as they would be.',
    }),
  ),
});
export type MadeLink = Static<typeof MadeLink>;

/** A link with the evidence for it. */
const ExplainedLink = Type.Object({
  ...Link.properties,
  waterfall: Type.Optional(
    Type.Array(
      Type.Object({
        evidence: Type.String(),
        log_odds: Type.Number({ description: 'Contribution of this step.' }),
        probability: Type.Number({ description: 'Probability after this step.' }),
      }),
      { description: 'The evidence for a suggestion, step by step.' },
    ),
  ),
});
export type ExplainedLink = Static<typeof ExplainedLink>;

/** The answer to GET /links/{id}. */
export const LinkInDetail = Type.Object({
  ...ExplainedLink.properties,
  other_links: Type.Array(Link, {
    description:
      'Other active links of the same event, newest first: at most one page of GET /links.',
  }),
  other_links_next_cursor: Type.Union(NextCursor.anyOf, {
    description:
      'The cursor that continues the list with GET /links?financial_event_id={id}. Null if the ' +
      'list is complete.',
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
      Type.Boolean({ description: 'Include soft-deleted links. Default: false.' }),
    ),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type LinkQuery = Static<typeof LinkQuery>;
