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

/** A record of the activity chain that changed what an event counts with. */
const CauseRecord = Type.Object({
  activity_seq: Type.Integer({ minimum: 1, description: 'Its place in the activity chain.' }),
  type: Type.String({ description: 'Such as movement.paired.' }),
  actor: Type.String({ description: 'A key, or `engine` or `settings`.' }),
  created_at: Timestamp,
  subject: Type.String({ description: 'The event, link or ledger that it is about.' }),
  by: Type.Union([Type.String(), Type.Null()], {
    description: 'Of a pairing: person, rule, deletion or supersession.',
  }),
  rule: Type.Union([Type.String(), Type.Null()], { description: 'Of a pairing by a rule.' }),
  lead: Type.Union([Type.String(), Type.Null()], {
    description: 'Of a pairing: the event that leads the movement now.',
  }),
  other: Type.Union([Type.String(), Type.Null()], {
    description:
      'Of a pairing: the event that it is about besides. Of an inherited link: the payment that it was taken from.',
  }),
});
export type CauseRecord = Static<typeof CauseRecord>;

export const Counted = Type.Object({
  counted_amount: Type.String({ description: 'Decimal, in the currency of the event.' }),
  links: Type.Array(
    Type.Object({
      label: Type.Enum(['confirmed', 'matched', 'guessed']),
      link_type: Type.Enum(['revenue', 'saving', 'cost', 'refund', 'loss']),
      amount: Type.String({ description: 'Decimal, in the currency of the event.' }),
    }),
    { description: 'What links take of it, by label and type.' },
  ),
});
export type Counted = Static<typeof Counted>;

const CountedOrNull = (description: string) => Type.Union([Counted, Type.Null()], { description });

const Cause = Type.Object({
  financial_event_id: Type.String({ description: 'An event of the month.' }),
  timestamp: Timestamp,
  currency: Type.String(),
  before: CountedOrNull('Null if it was not recorded yet.'),
  after: CountedOrNull('With the amount 0 if it does not count any more.'),
  records: Type.Array(CauseRecord, {
    description: 'The records that changed it, the first one named by the reason. At most 5.',
  }),
});
export type Cause = Static<typeof Cause>;

const Reason = Type.Object({
  type: Type.String({
    description:
      'The type of the records, such as movement.paired. settings.changed or derived.rebuilt: what no record of an ' +
      'event or link explains, such as exchange rates. rounding: what is left of printed figures. unexplained: no ' +
      'record is found, for example after rows were changed in the database.',
  }),
  changes: Type.Integer({ minimum: 0, description: 'Changes of events. 0 if it is of none.' }),
  figures: Type.Array(
    Type.Object({
      figure: Type.String({ description: 'Such as confirmed.revenue.' }),
      amount: Type.String({ description: 'Exact decimal, in the currency of the figure.' }),
    }),
    { description: 'What it adds to each figure. The reasons sum to each change exactly.' },
  ),
  records: Type.Array(CauseRecord, {
    description: 'Changes of settings, and rebuilds, that it may follow from. At most 20.',
  }),
});
export type Reason = Static<typeof Reason>;

export const Explanation = Type.Object({
  reasons: Type.Array(Reason),
  causes: Type.Array(Cause, {
    description: 'The changes of events that moved most. At most 20, the largest first.',
  }),
  causes_left_out: Type.Integer({ minimum: 0, description: 'Further changes of events.' }),
});
export type Explanation = Static<typeof Explanation>;

const Restatement = Type.Object({
  restated_at: Timestamp,
  ...CHAINED,
  changes: Type.Array(FigureChange, {
    description: 'What differs from the figures before: as closed, or as last restated.',
  }),
  explanation: {
    ...Explanation,
    description: 'Which records changed the figures, and by how much.',
  },
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
