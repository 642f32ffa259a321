import { type Static, Type } from 'typebox';
import { ByCurrency, CLOSED, ESTIMATED, FILTERS, FORMAT, STATE } from './analytics-figures.js';
import { EVENT_SEARCH } from './financial-event.js';
import { CURRENCY_PATTERN, Id, Name, NextCursor, PageParameters, Timestamp } from './shared.js';
import { LINES } from './source-profiles.js';

/** Money by how certain its links are; `expected` is confirmed and matched together. */
export const LABEL_SETS = {
  expected: ['confirmed', 'matched'],
  confirmed: ['confirmed'],
  matched: ['matched'],
  guessed: ['guessed'],
} as const;

/** The figures of linked money, with the link type that each counts; null for all. */
export const FIGURE_TYPES = {
  revenue: 'revenue',
  savings: 'saving',
  costs: 'cost',
  refunds: 'refund',
  losses: 'loss',
  net: null,
} as const;

/** Figures that are not of linked money alone. */
const WHOLE_FIGURES = ['unattributed', 'unconverted', 'unattributed_unconverted', 'total'] as const;

const LABELLED_FIGURES = Object.keys(LABEL_SETS).flatMap((label) =>
  Object.keys(FIGURE_TYPES).map((type) => `${label}.${type}`),
);

export const RowsQuery = Type.Object(
  {
    ...FILTERS,
    figure: Type.Optional(
      Type.Enum([...LABELLED_FIGURES, ...WHOLE_FIGURES, ...LINES], {
        description: 'The figure of GET /analytics/ai-pnl whose rows are listed. Default: total.',
      }),
    ),
    ...EVENT_SEARCH,
    customer: Type.Optional(Name('Only money of this customer; see `analytics.customer_key`.')),
    currency: Type.Optional(
      Type.String({
        pattern: CURRENCY_PATTERN,
        description: 'Only events in this currency.',
        'x-problem': 'must be an ISO 4217 code such as USD',
      }),
    ),
    ...FORMAT,
    ...PageParameters,
  },
  CLOSED,
);
export type RowsQuery = Static<typeof RowsQuery>;

const Exact = (description: string) => Type.String({ description });
const OrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** The part of an event that a link takes, or that no link takes. */
const PnlRow = Type.Object({
  financial_event_id: Id('evt'),
  source: Type.String(),
  event_type: Type.String(),
  timestamp: Timestamp,
  currency: Type.String({ description: 'The currency of the event.' }),
  event_amount: Exact('The amount of the event, as recorded.'),
  counted_amount: Exact('What the event counts with, with its sign: without tax, if it is known.'),
  link_id: Type.Union([Id('lnk'), Type.Null()], {
    description: 'Null for the part that no link takes.',
  }),
  decision_id: Type.Union([Id('dec'), Type.Null()]),
  label: Type.Enum(['confirmed', 'matched', 'guessed', 'unattributed', ...LINES], {
    description:
      'Of the tax of what counts, and of events that do not count: the line of `reported` that has their amount.',
  }),
  link_type: OrNull('Null for the part that no link takes.'),
  share: Exact('The share of the event, with 12 decimals.'),
  amount: Exact(
    'The part of counted_amount, in `currency`, with 12 decimals; of a line of `reported`, the amount that is in it.',
  ),
  rate: OrNull('The exchange rate of the day; 1 for the base currency; null if there is none.'),
  converted_amount: OrNull('amount × rate, in full, in the base currency.'),
});
export type PnlRow = Static<typeof PnlRow>;

/** The answer to GET /analytics/ai-pnl/rows. */
export const PnlRows = Type.Object({
  figure: Type.String(),
  currency: Type.String({ description: 'The base currency of the settings.' }),
  ...STATE,
  sum: Type.Union(
    [
      Type.Object({
        rows: Type.Integer({ minimum: 0, description: 'Number of rows of the figure.' }),
        converted: Exact('The figure before rounding: the sum of converted_amount.'),
        by_currency: ByCurrency('The sums of amount, before rounding.'),
      }),
      Type.Null(),
    ],
    { description: 'Of all rows of the figure. On the first page; null on the others.' },
  ),
  rows: Type.Array(PnlRow, { description: 'By time of the event, oldest first.' }),
  next_cursor: NextCursor,
});
export type PnlRows = Static<typeof PnlRows>;

export const ExposureRowsQuery = Type.Object({ ...FILTERS, ...FORMAT, ...PageParameters }, CLOSED);
export type ExposureRowsQuery = Static<typeof ExposureRowsQuery>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Estimated = (description: string) =>
  Type.String({ description: `${description} Decimal, in full.` });

/** A decision with its current estimate. */
const ExposureRow = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1, description: 'Position in the chain.' }),
  agent_id: Type.String(),
  action_type: Type.String(),
  timestamp: Timestamp,
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  is_reviewed: Type.Boolean({ description: 'A human in the loop or a reviewer.' }),
  exposure: Estimated('What the decision has cost and may still cost.'),
  low: Estimated('5th percentile of its cost.'),
  high: Estimated('95th percentile of its cost.'),
  realised: Estimated('Losses to date.'),
  open: Estimated('What may still be lost: exposure − realised.'),
  is_denied: Type.Boolean({ description: 'Denied or failed, so that no amount is at risk.' }),
  unconverted_count: Count('Its amounts that no exchange rate converts.'),
});
export type ExposureRow = Static<typeof ExposureRow>;

const ExposureSums = Type.Object({
  rows: Count('Number of decisions.'),
  exposure: Exact('The sum of exposure, in full: the figure before rounding.'),
  realised: Exact('The sum of realised, in full.'),
  open: Exact('The sum of open, in full: exposure − realised.'),
  confidence: Type.Number({ description: 'The sum of confidence.' }),
  reviewed: Count('Decisions with a human in the loop or a reviewer.'),
  denied: Count('Decisions that were denied or failed.'),
  unconverted: Count('Amounts that no exchange rate converts.'),
});
export type ExposureSums = Static<typeof ExposureSums>;

/** The answer to GET /analytics/liability/rows. */
export const ExposureRows = Type.Object({
  currency: Type.String({ description: 'The base currency that the estimates are in.' }),
  ...STATE,
  ...ESTIMATED,
  sum: Type.Union([ExposureSums, Type.Null()], {
    description: 'Of all rows. On the first page; null on the others.',
  }),
  rows: Type.Array(ExposureRow, { description: 'By time of the decision, oldest first.' }),
  next_cursor: NextCursor,
});
export type ExposureRows = Static<typeof ExposureRows>;
