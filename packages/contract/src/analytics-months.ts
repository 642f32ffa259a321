import { type Static, Type } from 'typebox';
import { BOOKS, CLOSED, FORMAT, STATE } from './analytics-figures.js';
import { Hash, NextCursor, PageParameters, Timestamp } from './shared.js';

/** The month of events, UTC. */
const Month = Type.String({
  pattern: '^[0-9]{4}-(?:0[1-9]|1[0-2])$',
  description: 'Month of the events, UTC, as YYYY-MM.',
  'x-problem': 'must be a month such as 2026-04',
});

export const MonthQuery = Type.Object(
  {
    month: Type.Optional({ ...Month, description: 'Only this month, as YYYY-MM.' }),
    ...FORMAT,
    ...PageParameters,
  },
  CLOSED,
);
export type MonthQuery = Static<typeof MonthQuery>;

/** The figures of a month, printed as at the time. */
export const MonthBooks = Type.Object({
  currency: Type.String({ description: 'The base currency at that time.' }),
  ...BOOKS,
});
export type MonthBooks = Static<typeof MonthBooks>;

/** The state of the ledger that stored figures were made from. */
const CHAINED = {
  activity_seq: STATE.activity_seq,
  activity_hash: { ...Hash, description: 'The hash of that record.' },
};

const FigureChange = Type.Object({
  figure: Type.String({ description: 'Such as confirmed.revenue or by_currency.EUR.total.' }),
  before: Type.Union([Type.String(), Type.Null()], { description: 'Null if it did not exist.' }),
  after: Type.Union([Type.String(), Type.Null()], { description: 'Null if it no longer exists.' }),
});
export type FigureChange = Static<typeof FigureChange>;

const Restatement = Type.Object({
  restated_at: Timestamp,
  ...CHAINED,
  changes: Type.Array(FigureChange, {
    description: 'What differs from the figures before: as closed, or as last restated.',
  }),
  figures: MonthBooks,
});

const ClosedMonth = Type.Object({
  month: Month,
  closed_at: Timestamp,
  ...CHAINED,
  closed: Type.Object(
    { ...MonthBooks.properties },
    { description: 'The figures as closed. They never change.' },
  ),
  restatements: Type.Array(Restatement, { description: 'Oldest first.' }),
  current: Type.Object(
    { ...MonthBooks.properties },
    { description: 'The figures now, by the current links, rates and settings.' },
  ),
});
export type ClosedMonth = Static<typeof ClosedMonth>;

/** The answer to GET /analytics/months. */
export const MonthPage = Type.Object({
  ...STATE,
  months: Type.Array(ClosedMonth, { description: 'Latest month first.' }),
  next_cursor: NextCursor,
});
export type MonthPage = Static<typeof MonthPage>;
