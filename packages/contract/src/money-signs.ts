import { type Static, Type } from 'typebox';
import { Name } from './shared.js';
import { SHIPPED_PROFILES } from './shipped-profiles.js';
import { SourceProfile } from './source-profiles.js';

/** What a link says that the decision did: the five kinds of money in the profit and loss. */
export const LinkType = Type.Enum(['revenue', 'cost', 'loss', 'refund', 'saving'], {
  description: 'The kind of money that the decision moved.',
});
export type LinkType = Static<typeof LinkType>;

export const Reversal = Type.Boolean({
  description:
    'Whether money came back: a `cost`, `refund` or `loss` that is taken back, such as a dispute ' +
    'that was won. Only for these three.',
});

/** How certain the cause of a live link is. */
export const LinkLabel = Type.Enum(['confirmed', 'matched', 'guessed'], {
  description:
    'confirmed: people created or confirmed the link. matched: suggested, with strong evidence. ' +
    'guessed: any other suggestion.',
});
export type LinkLabel = Static<typeof LinkLabel>;

const Word = Type.String({
  pattern: String.raw`^[^\s!-/:-@A-Z\[-\x60{-~]{1,50}$`,
  description: 'A word of an event type, in lower case.',
  'x-problem': 'must be one word in lower case: 1 to 50 characters without spaces or punctuation',
});

const MAX_ROWS = 500;

/**
 * A row of the table that turns event types into link types. It applies to events whose type has all
 * of its words. Where the sign of the amount counts, it applies only to money of its own direction:
 * `revenue`, `saving` and reversals come in; `cost`, `refund` and `loss` go out.
 */
const LinkTypeRow = Type.Object(
  {
    source: Type.Optional(Name('Only events of this source.')),
    words: Type.Array(Word, {
      minItems: 1,
      maxItems: 8,
      description: 'Whole words of the event type; all must occur, in any order.',
    }),
    link_type: LinkType,
    reversal: Type.Optional(Reversal),
  },
  { additionalProperties: false },
);
export type LinkTypeRow = Static<typeof LinkTypeRow>;

/** @param texts the words of each row, separated by spaces */
const rows = (link_type: LinkType, reversal: boolean, texts: readonly string[]) =>
  texts.map((text) => ({ words: text.split(' '), link_type, reversal }));

const takenBack = (link_type: LinkType, texts: readonly string[]) => rows(link_type, true, texts);
const plain = (link_type: LinkType, texts: readonly string[]) => rows(link_type, false, texts);

/** The default rows, in order: narrower ones first, because the first row that applies decides. */
const DEFAULT_ROWS = [
  ...takenBack('loss', [
    'dispute won',
    'dispute recovery',
    'dispute reversed',
    'dispute reversal',
    'dispute reinstated',
    'chargeback won',
    'chargeback reversed',
    'chargeback reversal',
    'chargeback recovery',
    'chargeback cancelled',
    'chargeback canceled',
    'chargeback cancellation',
    'chargeback reimbursement',
    'write off reversal',
    'write off reversed',
    'write off recovery',
    'writeoff reversal',
    'writeoff recovery',
    'loss reversal',
    'loss reversed',
    'loss recovery',
    'loss recovered',
    'fraud recovery',
    'fraud recovered',
    'debt recovery',
    'debt recovered',
    't1202',
    't1205',
    't1208',
  ]),
  ...takenBack('refund', [
    'refund reversal',
    'refund reversed',
    'refunded reversed',
    'refund failed',
    'refund failure',
    'refund canceled',
    'refund cancelled',
    'return reversal',
  ]),
  ...takenBack('cost', [
    'issuing dispute',
    'fee refund',
    'fee refunded',
    'fee reversal',
    'fee reversed',
    'tax refund',
    'tax refunded',
    'tax reversal',
    'payout failed',
    'payout failure',
    'payout cancel',
    'payout canceled',
    'payout cancelled',
    'payout reversal',
    'payout reversed',
    'expense reversal',
    'expense reversed',
    'cost reversal',
    'cost reversed',
    'bill reversal',
    'purchase refund',
    'purchase reversal',
    'vendor credit',
    'supplier credit',
    'supplier refund',
    't1108',
    't1109',
  ]),
  ...plain('loss', [
    'dispute',
    'disputed',
    'chargeback',
    'chargebacks',
    'fraud',
    'loss',
    'losses',
    'write off',
    'writeoff',
    'writedown',
    'loan default',
    'penalty',
    'penalties',
    'fine',
    'fines',
    'theft',
    'damage',
    'damages',
    'capture reversed',
    'sale reversed',
    't1106',
    't1201',
    't1207',
  ]),
  ...takenBack('loss', ['dispute', 'chargeback', 'reinstated', 'recovery', 'recovered']),
  ...plain('saving', ['saving', 'savings', 'cost avoided', 'costs avoided', 'discount avoided']),
  ...plain('cost', ['expense reimbursement', 'bill payment', 'bill paid', 'payroll payment']),
  ...plain('refund', [
    'refund',
    'refunds',
    'refunded',
    'return',
    'returns',
    'returned',
    'credit memo',
    'credit note',
    'payment reversal',
    'payment reversed',
    'charge reversal',
    'charge reversed',
    'sale reversal',
    'capture failed',
    't1107',
    't1115',
  ]),
  ...takenBack('cost', ['reversal', 'reversed']),
  ...plain('refund', ['reversal', 'reversed']),
  ...plain('revenue', ['application fee', 'fee income', 'fee revenue', 'interest income']),
  ...plain('cost', [
    'fee',
    'fees',
    'tax',
    'taxes',
    'cost',
    'costs',
    'expense',
    'expenses',
    'bill',
    'bills',
    'payout',
    'payouts',
    'salary',
    'salaries',
    'wage',
    'wages',
    'payroll',
    'commission',
    'compensation',
    'reimbursement',
    'spend',
    'spending',
    'withdrawal',
  ]),
  ...takenBack('cost', ['expense', 'expenses']),
  ...plain('revenue', [
    'revenue',
    'revenues',
    'income',
    'sale',
    'sales',
    'charge',
    'charges',
    'payment',
    'payments',
    'capture',
    'captured',
    'invoice',
    'invoices',
    'order',
    'orders',
    'subscription',
    'subscriptions',
    'renewal',
    'deposit',
    'topup',
    't0006',
  ]),
  ...plain('refund', ['revenue', 'revenues', 'income', 'sale', 'sales']),
];

/** Defaults of the settings about link types and signs. */
export const DEFAULT_MONEY_SIGNS: {
  link_types: typeof DEFAULT_ROWS;
  default_link_types: typeof DEFAULT_ROWS;
  unsigned_sources: string[];
  profiles: SourceProfile[];
  default_profiles: SourceProfile[];
} = {
  link_types: [],
  default_link_types: DEFAULT_ROWS,
  unsigned_sources: [],
  profiles: [],
  default_profiles: SHIPPED_PROFILES,
};

/** Settings about link types and signs, members of `attribution`. */
export const MONEY_SIGN_SETTINGS = {
  link_types: Type.Array(LinkTypeRow, {
    maxItems: MAX_ROWS,
    default: DEFAULT_MONEY_SIGNS.link_types,
    description:
      'Your own rows from event types to link types. They come before `default_link_types`; the ' +
      'first row that applies decides.',
  }),
  default_link_types: Type.Array(LinkTypeRow, {
    maxItems: MAX_ROWS,
    default: DEFAULT_MONEY_SIGNS.default_link_types,
    description: 'The rows that apply after your own.',
  }),
  unsigned_sources: Type.Array(Name('A source, as in the `source` of its events.'), {
    maxItems: 200,
    default: DEFAULT_MONEY_SIGNS.unsigned_sources,
    description:
      'Sources whose amounts have no meaningful sign. Their events count with the sign of the row ' +
      'that applies to their event type; without one, they count nothing.',
  }),
  profiles: Type.Array(SourceProfile, {
    maxItems: 100,
    default: DEFAULT_MONEY_SIGNS.profiles,
    description:
      'What the events of your sources mean. They come before `default_profiles`; of all profiles of a source, the ' +
      'first row that applies decides.',
  }),
  default_profiles: Type.Array(SourceProfile, {
    maxItems: 100,
    default: DEFAULT_MONEY_SIGNS.default_profiles,
    description: 'The profiles that apply after your own.',
  }),
};

const MoneySignSettings = Type.Object(MONEY_SIGN_SETTINGS);
export type MoneySignSettings = Static<typeof MoneySignSettings>;
