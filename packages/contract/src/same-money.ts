import { type Static, Type } from 'typebox';
import { FinancialEvent, ReportedEvent } from './financial-event.js';
import { Day, Id, NextCursor, PageParameters } from './shared.js';

const RULES = [
  'same_reference',
  'repeated',
  'repeated_in_books',
  'arrived_at_bank',
  'sum_by_reference',
  'sum_of_period',
] as const;

const Possible = Type.Object({
  financial_event: FinancialEvent,
  rule: Type.Enum(RULES, {
    description:
      'same_reference: another source states the same amount and a reference in common, within 45 days if few events ' +
      'have it, else within 4. repeated: the profile of one says that it repeats the other, and both state the same ' +
      'amount, within 4 days. repeated_in_books: an accounting connection states the same amount, within 4 days. ' +
      'arrived_at_bank: a line of a bank states the amount of a payout, within 4 days. sum_by_reference: events of one ' +
      'source that name the same order add up to it, or to another amount. sum_of_period: it is all that another source ' +
      'reports of a day, a week or a month, to the cent, or these sales less their fees.',
  }),
  doubt: Type.Enum(
    [
      'several_possibilities',
      'far_apart',
      'other_references',
      'other_kind',
      'other_amount',
      'contradicting_links',
      'one_source',
      'parted',
      'no_reference',
    ],
    {
      description:
        'Why no rule pairs them. several_possibilities: one of them may be of the money of another event as well. ' +
        'far_apart: they are more than 4 days apart, and share a reference that many events have, or one is the only ' +
        'event of its amount within 45 days that the books do not have. ' +
        'other_references: they name different customers, or different orders, or are payments of two processors. ' +
        'other_kind: what is known of them is of different kinds, such as a payout and a sale. ' +
        'other_amount: the books have a bit less, and nobody states a fee, or events of one order do not add up, or are in currencies with another rate, or with none. ' +
        'contradicting_links: people linked them to different decisions, or in opposite directions. one_source, ' +
        'parted: others would be brought together that are of one source, or that somebody parted. ' +
        'no_reference: nothing but the amount says it.',
    },
  ),
  sum: Type.Optional(
    Type.Object(
      {
        whole: Id('evt', 'The event that may be all of it.'),
        parts: Type.Array(FinancialEvent, {
          description:
            'The events of one source that may be it together; of those of a period, the first twelve at most.',
        }),
        amount: Type.String({ description: 'What the parts add up to: a decimal.' }),
        period: Type.Optional(
          Type.Object(
            {
              count: Type.Integer({ minimum: 2, description: 'How many parts there are.' }),
              from: Day('The first day.'),
              to: Day('The last day.'),
            },
            { description: 'Of all that a source reports of a period.' },
          ),
        ),
        reports: Type.Array(Id('evt'), {
          description:
            'What to send to `POST /movements/pair` if it is the same money. If the source of the parts is nearer to the ' +
            'cash, they all count, and the whole becomes a witness of one of them; else the whole counts.',
        }),
      },
      {
        description:
          'The sum that is asked about; absent if it is about two events. `financial_event` is then the first part, and ' +
          'parting it from the whole says that the sum is not the same money.',
      },
    ),
  ),
});

/** Events that may report the same money, which no rule can tell. */
export const SameMoneyPage = Type.Object({
  reports: Type.Array(Type.Object({ report: ReportedEvent, possible: Type.Array(Possible) })),
  open: Type.Integer({
    minimum: 0,
    description: 'Events of the whole list. More than 1,000 are not counted.',
  }),
  open_amounts: Type.Array(Type.Object({ currency: Type.String(), amount: Type.String() }), {
    description: 'The sums of their amounts without sign, by currency: decimals.',
  }),
  next_cursor: NextCursor,
});
export type SameMoneyPage = Static<typeof SameMoneyPage>;

export const SameMoneyQuery = Type.Object({ ...PageParameters }, { additionalProperties: false });
export type SameMoneyQuery = Static<typeof SameMoneyQuery>;
