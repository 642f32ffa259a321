import { type Static, Type } from 'typebox';
import { CLOSED, ESTIMATED, FILTERS, FORMAT, STATE } from './analytics-figures.js';
import { Id, NextCursor, PageParameters, Timestamp } from './shared.js';

export const ExposureRowsQuery = Type.Object({ ...FILTERS, ...FORMAT, ...PageParameters }, CLOSED);
export type ExposureRowsQuery = Static<typeof ExposureRowsQuery>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Exact = (description: string) => Type.String({ description });
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
