import { type Static, Type } from 'typebox';
import { ReviewPreview } from './dry-run.js';
import { FinancialEvent } from './financial-event.js';
import { DECLARED_REVIEWER, Link, LinkBody } from './link.js';
import {
  CURRENCY_PATTERN,
  Id,
  Name,
  NextCursor,
  PageParameters,
  RangeParameters,
  Timestamp,
} from './shared.js';

const Share = Type.Number({ minimum: 0, maximum: 1 });
const CLOSED = { additionalProperties: false } as const;

const KINDS = ['queue', 'audit'] as const;
const Kind = Type.Enum([...KINDS], {
  description:
    'queue: chosen by how much a review would teach. audit: drawn at random, to measure how often ' +
    'suggestions are right; without scores, candidates by time.',
});

/** A decision that may have caused an event. An audit shows no score of it. */
const ReviewCandidate = Type.Object({
  decision_id: Id('dec'),
  agent_id: Type.String(),
  action_type: Type.String(),
  timestamp: Timestamp,
  share: Type.Optional(Type.Number({ ...Share, description: 'Share of the event.' })),
  label: Type.Optional(Type.Enum(['matched', 'guessed'])),
  link_id: Type.Optional(Id('lnk', 'The suggested link.')),
  evidence: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      description: 'Contribution of each piece of evidence to the log-odds.',
    }),
  ),
});

/** An event to review, with at most ten candidates, near misses included. */
export const Review = Type.Object({
  financial_event: FinancialEvent,
  kind: Kind,
  none_share: Type.Optional(
    Type.Number({ ...Share, description: 'Share of "no recorded decision".' }),
  ),
  priority: Type.Union([Type.Number(), Type.Null()], {
    description:
      'The chance that a review changes what is counted, times the amount in the base currency. ' +
      'Null for an audit.',
  }),
  candidates: Type.Array(ReviewCandidate),
});
export type Review = Static<typeof Review>;

/** What waits for a review, whatever the filter. */
const OpenReviews = Type.Object({
  reviews: Type.Integer({ minimum: 0, description: 'Number of open reviews.' }),
  amount: Type.String({
    description: 'Sum of their amounts without sign, in the base currency: a decimal.',
  }),
  currency: Type.String({ description: 'The base currency.' }),
  unconverted: Type.Integer({
    minimum: 0,
    description: 'Open reviews that the sum lacks, because there is no rate for their currency.',
  }),
  is_scoring: Type.Boolean({
    description: 'Whether events wait to be scored: the list may still change by itself.',
  }),
});

export const ReviewPage = Type.Object({
  reviews: Type.Array(Review),
  open: OpenReviews,
  next_cursor: NextCursor,
});
export type ReviewPage = Static<typeof ReviewPage>;

export const ReviewQuery = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...KINDS], { description: 'Only reviews of this kind.' })),
    currency: Type.Optional(
      Type.String({
        pattern: CURRENCY_PATTERN,
        description: 'Only events in this currency.',
        'x-problem': 'must be an ISO 4217 code such as USD',
      }),
    ),
    source: Type.Optional(Name('Only events of this source.')),
    min_amount: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Only events of at least this amount, without sign, in the base currency. Events without ' +
          'a rate are left out.',
      }),
    ),
    has_suggestion: Type.Optional(
      Type.Boolean({ description: 'Only events with a suggested link, or only those without.' }),
    ),
    ...PageParameters,
  },
  CLOSED,
);
export type ReviewQuery = Static<typeof ReviewQuery>;

/** The body of POST /reviews/{id}: one of decision_id, none and skip. */
export const ReviewBody = Type.Object(
  {
    decision_id: Type.Optional(Id('dec', 'The decision that caused the event.')),
    strength: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          'With decision_id: the share of the event that it caused. Default: all that other links ' +
          'of people leave.',
      }),
    ),
    link_type: Type.Optional({
      ...LinkBody.properties.link_type,
      description: 'With decision_id. Default: by the sign and the type of the event.',
    }),
    none: Type.Optional(
      Type.Literal(true, { description: 'No recorded decision caused the event.' }),
    ),
    skip: Type.Optional(Type.Literal(true, { description: 'Nobody can tell; teaches nothing.' })),
    ...DECLARED_REVIEWER,
  },
  CLOSED,
);
export type ReviewBody = Static<typeof ReviewBody>;

/** The answer to POST /reviews/{id}: what was recorded, or would be. */
export const ReviewAnswer = Type.Object({
  financial_event_id: Id('evt'),
  verdict: Type.Enum(['cause', 'none', 'skipped', 'withdrawn']),
  link: Type.Optional(Link),
  dry_run: Type.Optional(ReviewPreview),
});
export type ReviewAnswer = Static<typeof ReviewAnswer>;

/** What a person said of an event, and what takes it back. */
export const GivenAnswer = Type.Object({
  financial_event_id: Id('evt'),
  event_type: Type.String(),
  amount: Type.String({ description: 'Of the event, a decimal.' }),
  currency: Type.String(),
  verdict: Type.Enum(['cause', 'rejected', 'none', 'skipped']),
  decision_id: Type.Optional(Id('dec', 'The decision that is the cause, or is not.')),
  links: Type.Array(Id('lnk'), {
    description:
      'The links whose deletion takes the answer back. After none and skipped, the answer itself is ' +
      'withdrawn as well.',
  }),
  actor: Type.String({
    description: 'The author: the id of a key, or the name and id of a session.',
  }),
  is_own: Type.Boolean({ description: 'Whether the caller gave it, in any session.' }),
  answered_at: Timestamp,
});
export type GivenAnswer = Static<typeof GivenAnswer>;

/** Events whose cause, or its absence, was named. */
const Decided = Type.Object({
  events: Type.Integer({ minimum: 0 }),
  sums: Type.Array(
    Type.Object({
      currency: Type.String(),
      amount: Type.String({ description: 'Sum of the amounts without sign: a decimal.' }),
    }),
  ),
});
export type Decided = Static<typeof Decided>;

export const GivenAnswerPage = Type.Object({
  answers: Type.Array(GivenAnswer),
  decided: Type.Object(
    { own: Decided, all: Decided },
    { description: 'What was decided in the range, by the caller and by everybody.' },
  ),
  open: OpenReviews,
  next_cursor: NextCursor,
});
export type GivenAnswerPage = Static<typeof GivenAnswerPage>;

export const GivenAnswerQuery = Type.Object(
  {
    ...RangeParameters,
    own: Type.Optional(Type.Boolean({ description: 'true: only answers of the caller.' })),
    ...PageParameters,
  },
  CLOSED,
);
export type GivenAnswerQuery = Static<typeof GivenAnswerQuery>;
