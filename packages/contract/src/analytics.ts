import { type Static, Type } from 'typebox';
import { Id, Name, NextCursor, PageParameters, RangeParameters, Timestamp } from './shared.js';

const Money = Type.String({ description: 'Decimal, in the base currency, to its minor unit.' });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
    description: `${description} From 0 to 1; null where there are no decisions.`,
  });

/** What narrows every analysis. */
const filters = {
  ...RangeParameters,
  agent_id: Type.Optional(Name('Only decisions of this agent, and what they moved.')),
  action_type: Type.Optional(Name('Only decisions of this action type, and what they moved.')),
};

const closed = { additionalProperties: false };

export const PnlQuery = Type.Object(filters, closed);
export type PnlQuery = Static<typeof PnlQuery>;

/** Money by its economic character. Costs, refunds and losses are negative. */
const Figures = Type.Object({
  revenue: Money,
  savings: Money,
  costs: Money,
  refunds: Money,
  losses: Money,
  net: Money,
});
export type Figures = Static<typeof Figures>;

const Group = Type.Object({ key: Type.String(), expected: Figures, confirmed: Figures });

/** Amounts in their own currencies, which no rate converts. */
const CurrencyAmount = Type.Object({ currency: Type.String(), amount: Type.String() });
const ByCurrency = Type.Array(CurrencyAmount);

/** Agents, and action types, that one profit and loss or exposure names: those that move most. */
export const MAX_GROUPS = 1000;

/** The answer to GET /analytics/ai-pnl. */
export const Pnl = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  total_revenue_attributed: Type.String({ description: 'Revenue of all links that stand.' }),
  net_ai_impact: Type.String({ description: 'The net of all links that stand.' }),
  confidence_interval: Type.Object(
    { low: Money, high: Money },
    {
      description:
        'Holds the net once every suggestion is settled, in 9 cases of 10, as far as the ' +
        'strengths of the suggestions are right. Both are the net where nothing is suggested.',
    },
  ),
  expected: Type.Object(
    { ...Figures.properties },
    { description: 'All links that stand, suggestions by their strength.' },
  ),
  confirmed: Type.Object(
    { ...Figures.properties },
    { description: 'Links that people made or confirmed, alone.' },
  ),
  unattributed: Type.Union([Money, Type.Null()], {
    description:
      'What the events of the range hold beyond their links, with the sign that they have. Null ' +
      'where the analysis is of one agent or action type.',
  }),
  unconverted: Type.Array(CurrencyAmount, {
    description: 'What links move in currencies without a rate on its day; in none of the totals.',
  }),
  unattributed_unconverted: Type.Array(CurrencyAmount, {
    description:
      'What events hold beyond their links in such currencies; it is not in unattributed. Empty ' +
      'where the analysis is of one agent or action type.',
  }),
  expected_liability: Type.Union([Money, Type.Null()], {
    description:
      'What the decisions of the range, by their own time, could still cost, and what they have ' +
      'cost: a memo line that no other figure contains. Null while the estimates are in another ' +
      'currency than the base currency.',
  }),
  decisions: Type.Integer({ description: 'Decisions of the range, by their own time.' }),
  by_agent: Type.Array(Group, {
    description: `By key. Of more than ${MAX_GROUPS} agents those that moved most, each way.`,
  }),
  by_action_type: Type.Array(Group, {
    description: `By key. Of more than ${MAX_GROUPS} action types those that moved most, each way.`,
  }),
  by_month: Type.Array(Group),
});
export type Pnl = Static<typeof Pnl>;

/** Rows of a timeline that one answer holds. */
export const MAX_TIMELINE_ROWS = 10_000;

const Bucket = Type.Enum(['hour', 'day', 'week', 'month'], {
  description: 'Of UTC, day unless told; weeks begin on Monday (ISO 8601).',
});
export type Bucket = Static<typeof Bucket>;

const GroupBy = Type.Enum(['agent', 'action_type'], {
  description: 'One row a bucket and agent or action type, rather than one a bucket.',
});
export type GroupBy = Static<typeof GroupBy>;

export const TimelineQuery = Type.Object(
  { ...filters, bucket: Type.Optional(Bucket), group_by: Type.Optional(GroupBy) },
  closed,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

/** Of decisions, by their own time. */
const decided = {
  decisions: Count('How many.'),
  mean_confidence: Share('Mean of their confidence.'),
  human_review_share: Share('Share of them that had a human in the loop or a reviewer.'),
  exposure: Type.Union([Money, Type.Null()], {
    description: 'Null while the estimates are in another currency than the base currency.',
  }),
};

/** Of events, by their own time: all links that stand. */
const moved = { revenue: Money, losses: Money, net: Money, unconverted: ByCurrency };

const TimelineRow = Type.Object({
  start: Type.String({ description: 'When the bucket begins: RFC 3339, UTC.' }),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The agent or action type; null where rows are not grouped.',
  }),
  ...decided,
  ...moved,
});
export type TimelineRow = Static<typeof TimelineRow>;

/** The answer to GET /analytics/timeline. */
export const Timeline = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  bucket: Bucket,
  group_by: Type.Union([GroupBy, Type.Null()]),
  timeline: Type.Array(TimelineRow, {
    description: 'By start, then key. Buckets in which nothing happened are left out.',
  }),
});
export type Timeline = Static<typeof Timeline>;

export const AgentQuery = Type.Object({ ...filters, ...PageParameters }, closed);
export type AgentQuery = Static<typeof AgentQuery>;

const AgentFigures = Type.Object({ agent_id: Type.String(), ...decided, ...moved });
export type AgentFigures = Static<typeof AgentFigures>;

/** The answer to GET /analytics/agents. */
export const AgentPage = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  agents: Type.Array(AgentFigures, { description: 'The largest exposure first.' }),
  next_cursor: NextCursor,
});
export type AgentPage = Static<typeof AgentPage>;

export const ExposureQuery = Type.Object(
  {
    ...filters,
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How many decisions to name, 10 unless told.',
      }),
    ),
  },
  closed,
);
export type ExposureQuery = Static<typeof ExposureQuery>;

const Aggregate = Type.Object(
  { exposure: Money, expected: Money, p50: Money, p95: Money, realised: Money },
  {
    description:
      'Sum of the exposures; mean, median and 95th percentile of what they come to in the end; ' +
      'and what of all that has been lost already.',
  },
);

const ActionTypeExposure = Type.Object({
  action_type: Type.String(),
  decisions: Count('How many.'),
  exposure: Money,
  realised: Money,
});
export type ActionTypeExposure = Static<typeof ActionTypeExposure>;

const TopDecision = Type.Object({
  decision_id: Id('dec'),
  agent_id: Type.String(),
  action_type: Type.String(),
  timestamp: Timestamp,
  exposure: Money,
  low: Money,
  high: Money,
});
export type TopDecision = Static<typeof TopDecision>;

const TrendPoint = Type.Object({
  day: Type.String({ description: 'UTC, as YYYY-MM-DD.' }),
  is_now: Type.Boolean({
    description: 'False: as it stood after the nightly run of the day. True: as it stands.',
  }),
  currency: Type.String({ description: 'The base currency at that time.' }),
  decisions: Count('All up to then, whatever their time.'),
  exposure: Type.String(),
  realised: Type.String(),
});
export type TrendPoint = Static<typeof TrendPoint>;

/** The answer to GET /analytics/liability. */
export const ExposureAnalysis = Type.Object({
  currency: Type.String({ description: 'The base currency that the estimates are in.' }),
  version: Type.String({ description: 'Version of the model.' }),
  aggregate: Aggregate,
  decisions: Count('Decisions of the range, by their own time.'),
  by_action_type: Type.Array(ActionTypeExposure, {
    description: `The largest exposure first, at most ${MAX_GROUPS}.`,
  }),
  top_decisions: Type.Array(TopDecision, { description: 'The largest exposure first.' }),
  trend: Type.Array(TrendPoint, { description: 'Oldest first.' }),
  threshold: Type.Union([Money, Type.Null()], {
    description: '`liability.exposure_alert_threshold` of the settings.',
  }),
  is_threshold_crossed: Type.Boolean({
    description: 'Whether the exposure of the whole ledger, whatever is filtered, is above it.',
  }),
  unconverted_count: Count(
    'Amounts that estimates leave out because no exchange rate converts them.',
  ),
  estimates_pending: Count(
    'Decisions of an earlier release that have no estimate yet: in no exposure so far.',
  ),
});
export type ExposureAnalysis = Static<typeof ExposureAnalysis>;
