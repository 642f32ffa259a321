import { type Static, Type } from 'typebox';
import { Name, RangeParameters } from './shared.js';

/** Rejects unknown query parameters. */
export const CLOSED = { additionalProperties: false };

export const Money = Type.String({
  description: 'Decimal, in the base currency, to its minor unit.',
});

export const MoneyOrNull = (description: string) =>
  Type.Union([Money, Type.Null()], { description });

/** Query parameters that every analysis accepts. */
export const FILTERS = {
  ...RangeParameters,
  agent_id: Type.Optional(Name('Only decisions of this agent, and the money they moved.')),
  action_type: Type.Optional(Name('Only decisions of this action type, and the money they moved.')),
};

const Format = Type.Enum(['json', 'csv'], {
  description:
    'Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet ' +
    'would evaluate as a formula begin with an apostrophe.',
});

/** The query parameter of answers that exist as a table too. */
export const FORMAT = { format: Type.Optional(Format) };

/** The state that the figures of an answer are of. */
export const STATE = {
  as_of: Type.String({
    description: 'The time of the state that the figures show. RFC 3339, UTC.',
  }),
  activity_seq: Type.Integer({
    minimum: 0,
    description:
      'The last record of the activity chain at that time. Answers with the same number were made ' +
      'from the same money, rates and settings.',
  }),
};

/** Up to where the figures of an answer count the estimates of decisions. */
export const ESTIMATED = {
  as_of_seq: Type.Integer({
    minimum: 0,
    description: 'Every decision up to this position of the chain is counted.',
  }),
  pending: Type.Integer({
    minimum: 0,
    description:
      'Later decisions, which are not counted yet. 0 unless many decisions were recorded within about ' +
      'a second, or an estimate cannot be made.',
  }),
};

/** Money by its economic character. Costs, refunds and losses are negative. */
export const Figures = Type.Object({
  revenue: Money,
  savings: Money,
  costs: Money,
  refunds: Money,
  losses: Money,
  net: Money,
});
export type Figures = Static<typeof Figures>;

const figures = (description: string) => Type.Object({ ...Figures.properties }, { description });

/** Figures of linked money by how certain the links are. */
export const LABELLED = {
  expected: figures('Confirmed and matched money together.'),
  confirmed: figures('Links that people made or confirmed.'),
  matched: figures('Suggested links with the steps of the transaction that the money belongs to.'),
  guessed: figures('Other suggested links. No total counts them until they are reviewed.'),
};

/** An amount in its own currency. */
const CurrencyAmount = Type.Object({ currency: Type.String(), amount: Type.String() });
export const ByCurrency = (description: string) => Type.Array(CurrencyAmount, { description });

const Own = Type.String({ description: 'Decimal, in `currency`, to its minor unit.' });

const CurrencyBooks = Type.Object({
  currency: Type.String({ description: 'The currency of the events.' }),
  confirmed: Own,
  matched: Own,
  guessed: Own,
  unattributed: Type.Union([Own, Type.Null()]),
  unconverted: {
    ...Own,
    description: 'Linked or not: the events without an exchange rate on their day.',
  },
  total: Type.Union([Own, Type.Null()], {
    description: 'All live events: the sum of the five other amounts.',
  }),
});
export type CurrencyBooks = Static<typeof CurrencyBooks>;

/** All that was reported in one currency. */
const ReportedMoney = Type.Object({
  currency: Type.String({ description: 'The currency of the events.' }),
  counted: { ...Own, description: 'What counts: the total of `by_currency`.' },
  may_include_tax: {
    ...Own,
    description: 'Of `counted`: sales of which no event says what they are without tax.',
  },
  tax: {
    ...Own,
    description: 'The tax of what counts, where its events state it: it is not counted.',
  },
  counted_once: {
    ...Own,
    description:
      'What would count twice: events whose money another event of their movement counts.',
  },
  planned: { ...Own, description: 'Forecasts, accruals and pending lines.' },
  authorised: { ...Own, description: 'Promised, and not captured.' },
  void: { ...Own, description: 'Came back untouched, or was never captured.' },
  between_own_accounts: { ...Own, description: 'Payouts, transfers and conversions.' },
  unclassified: {
    ...Own,
    description: 'Of sources without signs, as recorded: nothing says in which direction it moved.',
  },
  reported: {
    ...Own,
    description: 'All live events: the sum of all other amounts but `may_include_tax`.',
  },
});
export type ReportedMoney = Static<typeof ReportedMoney>;

export const Reported = Type.Array(ReportedMoney, {
  description:
    'All that was reported, by currency: what counts, and what does not, with the reason. Empty if the analysis is ' +
    'filtered by agent or action type.',
});

/** The books of a range: every part of every live event, once. */
export const BOOKS = {
  ...LABELLED,
  unattributed: MoneyOrNull(
    'The part of the events in the range that is not linked, with its sign. Null if the analysis ' +
      'is filtered by agent or action type.',
  ),
  total: MoneyOrNull(
    'All live events that a rate converts: confirmed, matched, guessed and unattributed together. ' +
      'Null if the analysis is filtered by agent or action type.',
  ),
  unconverted: ByCurrency(
    'Linked amounts without an exchange rate on their day; excluded from all totals.',
  ),
  unattributed_unconverted: ByCurrency(
    'Unlinked amounts of events without an exchange rate on their day; excluded from ' +
      'unattributed. Empty if the analysis is filtered by agent or action type.',
  ),
  by_currency: Type.Array(CurrencyBooks, {
    description:
      'The same parts in the currencies of the events. Unattributed and total are null if the ' +
      'analysis is filtered by agent or action type.',
  }),
};

export const Books = Type.Object(BOOKS);
export type Books = Static<typeof Books>;

/** Money that was taken back, and how much of it no decision is known to have caused. */
export const Reversals = Type.Object(
  {
    total: Money,
    without_cause: {
      ...Money,
      description:
        'The part of `total` that no confirmed or matched link takes, and of which nobody said that no recorded decision ' +
        'caused it.',
    },
    warning: Type.Union([Type.String(), Type.Null()], {
      description:
        'A sentence with the sum while more than a tenth of `total` is without a cause: the revenue is then shown without ' +
        'what reversed it. Else null.',
    }),
  },
  {
    description:
      'What refunds, disputes, chargebacks and fees of the range took back, as positive amounts. Always of the whole ' +
      'ledger: money without a cause belongs to no agent yet.',
  },
);
export type Reversals = Static<typeof Reversals>;
