import { type Static, Type } from 'typebox';
import {
  BOOKS,
  ByCurrency,
  CLOSED,
  ESTIMATED,
  FILTERS,
  FORMAT,
  LABELLED,
  Money,
  MoneyOrNull,
  Reported,
  Reversals,
  STATE,
} from './analytics-figures.js';
import { LikelyNet } from './likely-net.js';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
    description: `${description} From 0 to 1; null if there are no decisions.`,
  });

export const PnlQuery = Type.Object(
  {
    ...FILTERS,
    group_by: Type.Optional(
      Type.Enum(['customer'], { description: 'Adds `by_customer`, which takes longer.' }),
    ),
    ...FORMAT,
  },
  CLOSED,
);
export type PnlQuery = Static<typeof PnlQuery>;

const Group = Type.Object({ key: Type.String(), ...LABELLED });
export type Group = Static<typeof Group>;

const Rest = Type.Union([Type.Object(LABELLED), Type.Null()]);

const MomentOrNull = (description: string) => Type.Union([Timestamp, Type.Null()], { description });

const MonthGroup = Type.Object({
  ...Group.properties,
  closed_at: MomentOrNull('When the month was closed; null while it is open.'),
  restated_at: MomentOrNull('When it was last restated; null if its figures as closed stand.'),
});

const CustomerGroup = Type.Object({
  ...Group.properties,
  key: Type.Union([Type.String(), Type.Null()], { description: 'Null: no customer is named.' }),
});

/** The maximum number of agents, action types or customers in one answer; the largest are listed. */
export const MAX_GROUPS = 1000;

/** The answer to GET /analytics/ai-pnl. */
export const Pnl = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  ...STATE,
  ...ESTIMATED,
  total_revenue_attributed: Type.String({ description: 'Revenue, confirmed and matched.' }),
  net_ai_impact: Type.String({ description: 'Net, confirmed and matched.' }),
  confidence_interval: Type.Object(
    { low: Money, high: Money },
    {
      description:
        'Contains the net after all matched suggestions are reviewed, in 9 cases of 10, if their ' +
        'strengths are right. Both ends equal the net if nothing is matched.',
    },
  ),
  likely_net: LikelyNet,
  reversals: Reversals,
  ...BOOKS,
  reported: Reported,
  expected_liability: MoneyOrNull(
    'What the decisions of the range, by their own time, have cost and may still cost. A memo ' +
      'item: no other figure includes it. Null while the estimates are in a currency other than ' +
      'the base currency.',
  ),
  decisions: Type.Integer({ description: 'Decisions of the range, by their own time.' }),
  by_agent: Type.Array(Group, {
    description: `By key. At most ${MAX_GROUPS} agents: those with the largest gains and losses.`,
  }),
  by_action_type: Type.Array(Group, {
    description: `By key. At most ${MAX_GROUPS} action types: those with the largest gains and losses.`,
  }),
  by_customer: Type.Union([Type.Array(CustomerGroup), Type.Null()], {
    description: `At most ${MAX_GROUPS} customers. Null unless \`group_by\` asks for it.`,
  }),
  by_month: Type.Array(MonthGroup),
  by_quarter: Type.Array(Group, { description: 'Keys such as 2026-Q2.' }),
  others: Type.Object(
    { by_agent: Rest, by_action_type: Rest, by_customer: Rest },
    { description: `The groups beyond ${MAX_GROUPS}, together. Null if all are listed.` },
  ),
});
export type Pnl = Static<typeof Pnl>;

/** The maximum number of rows in a timeline. */
export const MAX_TIMELINE_ROWS = 10_000;

const Bucket = Type.Enum(['hour', 'day', 'week', 'month', 'quarter'], {
  description: 'In UTC. Default: day. Weeks begin on Monday (ISO 8601).',
});
export type Bucket = Static<typeof Bucket>;

const GroupBy = Type.Enum(['agent', 'action_type'], {
  description: 'One row per bucket and agent or action type, instead of one per bucket.',
});
export type GroupBy = Static<typeof GroupBy>;

export const TimelineQuery = Type.Object(
  { ...FILTERS, bucket: Type.Optional(Bucket), group_by: Type.Optional(GroupBy), ...FORMAT },
  CLOSED,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

/** Figures of decisions, by the time of the decision. */
const decided = {
  decisions: Count('Number of decisions.'),
  mean_confidence: Share('Mean confidence.'),
  human_review_share: Share('Share with a human in the loop or a reviewer.'),
  exposure: MoneyOrNull('Null while the estimates are in a currency other than the base currency.'),
};

const sums = { revenue: Money, losses: Money, net: Money };

/** Figures of confirmed and matched links, by the time of the event; guesses stand apart. */
const moved = {
  ...sums,
  guessed: Type.Object(sums, { description: 'Guessed links, which the other figures leave out.' }),
  unconverted: ByCurrency('Linked amounts without an exchange rate on their day.'),
};

const TimelineRow = Type.Object({
  start: Type.String({ description: 'Start of the bucket: RFC 3339, UTC.' }),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The agent or action type; null if rows are not grouped.',
  }),
  ...decided,
  ...moved,
});
export type TimelineRow = Static<typeof TimelineRow>;

/** The answer to GET /analytics/timeline. */
export const Timeline = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  ...STATE,
  ...ESTIMATED,
  bucket: Bucket,
  group_by: Type.Union([GroupBy, Type.Null()]),
  timeline: Type.Array(TimelineRow, {
    description: 'By start, then key. Empty buckets are left out.',
  }),
});
export type Timeline = Static<typeof Timeline>;

export const AgentQuery = Type.Object({ ...FILTERS, ...FORMAT, ...PageParameters }, CLOSED);
export type AgentQuery = Static<typeof AgentQuery>;

const AgentFigures = Type.Object({ agent_id: Type.String(), ...decided, ...moved });
export type AgentFigures = Static<typeof AgentFigures>;

/** The answer to GET /analytics/agents. */
export const AgentPage = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  ...STATE,
  ...ESTIMATED,
  agents: Type.Array(AgentFigures, { description: 'Largest exposure first.' }),
  next_cursor: NextCursor,
});
export type AgentPage = Static<typeof AgentPage>;

export const ExposureQuery = Type.Object(
  {
    ...FILTERS,
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Number of decisions to list. Default: 10.',
      }),
    ),
    ...FORMAT,
  },
  CLOSED,
);
export type ExposureQuery = Static<typeof ExposureQuery>;

const OPEN = 'What may still be lost: the expected cost − `realised`. Decimal.';

const Aggregate = Type.Object({
  expected: Type.String({ description: 'Sum of the expected costs, including losses to date.' }),
  low90: Type.String({ description: '5th percentile of the simulated total cost.' }),
  high90: Type.String({ description: '95th percentile of the simulated total cost.' }),
  var95: Type.String({
    description: 'Value at risk: the total cost exceeds it in one case of twenty.',
  }),
  es95: Type.String({ description: 'Expected shortfall: mean total cost of these cases.' }),
  basis: Type.Enum(['prior', 'experience'], {
    description:
      '`prior`: more than half of the expected cost stems from benchmarks and the matrix. If these ' +
      'are wrong, so is the interval.',
  }),
  realised: Type.String({ description: 'Losses to date.' }),
  open: Type.String({ description: OPEN }),
  p50: Type.String({ description: 'Median of the simulated total cost.' }),
});

const ActionTypeExposure = Type.Object({
  action_type: Type.String(),
  decisions: Count('Number of decisions.'),
  exposure: Money,
  realised: Money,
  open: Type.String({ description: OPEN }),
});
export type ActionTypeExposure = Static<typeof ActionTypeExposure>;

const TopDecision = Type.Object({
  decision_id: Id('dec'),
  agent_id: Type.String(),
  action_type: Type.String(),
  timestamp: Timestamp,
  expected: Money,
  expected_low: Money,
  expected_high: Money,
  realised: Money,
  open: Type.String({ description: OPEN }),
  loss_if_any_p50: Money,
  loss_if_any_p95: Money,
});
export type TopDecision = Static<typeof TopDecision>;

const TrendPoint = Type.Object({
  day: Type.String({ description: 'UTC, as YYYY-MM-DD.' }),
  is_now: Type.Boolean({
    description: 'False: the value after the nightly run of that day. True: the current value.',
  }),
  currency: Type.String({ description: 'The base currency at that time.' }),
  decisions: Count('All decisions recorded by then, whatever their own time.'),
  exposure: Type.String(),
  realised: Type.String(),
});
export type TrendPoint = Static<typeof TrendPoint>;

/** The answer to GET /analytics/liability. */
export const ExposureAnalysis = Type.Object({
  currency: Type.String({ description: 'The base currency that the estimates are in.' }),
  as_of: STATE.as_of,
  ...ESTIMATED,
  version: Type.String({ description: 'Version of the model.' }),
  aggregate: Aggregate,
  decisions: Count('Decisions of the range, by their own time.'),
  by_action_type: Type.Array(ActionTypeExposure, {
    description: `Largest \`open\` first, at most ${MAX_GROUPS}.`,
  }),
  top_decisions: Type.Array(TopDecision, {
    description: 'Those that may still cost most: largest `open` first.',
  }),
  trend: Type.Array(TrendPoint, { description: 'Oldest first.' }),
  threshold: Type.Union([Money, Type.Null()], {
    description: '`liability.exposure_alert_threshold` of the settings.',
  }),
  is_threshold_crossed: Type.Boolean({
    description:
      'Whether what may still be lost in the whole ledger, without filters, is above the threshold.',
  }),
  threshold_status: Type.Union([Type.Enum(['exceeded', 'not_exceeded', 'unknown']), Type.Null()], {
    description:
      '`unknown`: not exceeded by what is known, but some amounts have no exchange rate. Null ' +
      'without a threshold.',
  }),
  unconverted_count: Count('Amounts excluded from all sums because no exchange rate applies.'),
  denied_count: Count('Decisions that were denied or failed, so that no amount is at risk.'),
});
export type ExposureAnalysis = Static<typeof ExposureAnalysis>;
