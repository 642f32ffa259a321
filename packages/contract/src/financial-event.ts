import { type Static, Type } from 'typebox';
import { CURRENCY_CODES } from './currency.js';
import {
  CURRENCY_PATTERN,
  CURRENCY_PROBLEM,
  Id,
  JsonObject,
  Moment,
  Name,
  NextCursor,
  PageParameters,
  RangeParameters,
  Timestamp,
} from './shared.js';

/** Decimal text: no exponent, no separators, no sign on zero. Every digit is kept. */
const Amount = Type.String({
  pattern: '^(?!-0(?:\\.0+)?$)-?(?:0|[1-9][0-9]{0,19})(?:\\.[0-9]{1,12})?$',
  description: 'A decimal: at most 20 digits before the point and 12 after it.',
  'x-problem':
    'must be a decimal such as "1250.00": at most 20 digits before the point and 12 after it, ' +
    'without exponent, separators or a sign on zero',
});

const Currency = Type.Enum([...CURRENCY_CODES], {
  description: 'ISO 4217 code of a currency that was in use at that time.',
  'x-problem': CURRENCY_PROBLEM,
});

/** Stored events may be in currencies that were withdrawn later. */
const CurrencyFilter = Type.String({
  pattern: CURRENCY_PATTERN,
  description: 'Only events in this currency.',
  'x-problem': 'must be an ISO 4217 code such as USD',
});

const Description = Type.String({ maxLength: 1000 });

/** The body of POST /financial-events. */
export const FinancialEventBody = Type.Object(
  {
    source: Name('The system that the event comes from, such as billing.'),
    event_type: Name('The kind of event, such as payment or refund.'),
    amount: Amount,
    currency: Currency,
    external_id: Type.Optional(Name("The caller's own reference.")),
    timestamp: Moment('When it happened.'),
    description: Type.Optional(Description),
    metadata: Type.Optional(JsonObject),
  },
  { additionalProperties: false },
);
export type FinancialEventBody = Static<typeof FinancialEventBody>;

const MomentOrNull = Type.Union([Timestamp, Type.Null()]);

/** A recorded financial event. Missing fields are left out. */
export const FinancialEvent = Type.Object({
  id: Id('evt'),
  source: Type.String(),
  event_type: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  external_id: Type.Optional(Type.String()),
  timestamp: Timestamp,
  description: Type.Optional(Type.String()),
  metadata: Type.Optional(JsonObject),
  supersedes: Type.Optional(Id('evt')),
  superseded_by: Type.Optional(Id('evt')),
  created_at: Timestamp,
  deleted_at: MomentOrNull,
});
export type FinancialEvent = Static<typeof FinancialEvent>;

export const FinancialEventPage = Type.Object({
  financial_events: Type.Array(FinancialEvent),
  next_cursor: NextCursor,
});
export type FinancialEventPage = Static<typeof FinancialEventPage>;

export const FinancialEventQuery = Type.Object(
  {
    source: Type.Optional(Name('Only events of this source.')),
    event_type: Type.Optional(Name('Only events of this type.')),
    external_id: Type.Optional(Name('Only events with this reference.')),
    currency: Type.Optional(CurrencyFilter),
    include_deleted: Type.Optional(
      Type.Boolean({ description: 'Include soft-deleted and superseded events. Default: false.' }),
    ),
    unclassified: Type.Optional(
      Type.Boolean({
        description: 'Only events of sources without signs whose type no row knows.',
      }),
    ),
    ...RangeParameters,
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type FinancialEventQuery = Static<typeof FinancialEventQuery>;

/** The answer to a payment processor's webhook. */
export const WebhookReceipt = Type.Object({
  status: Type.Enum(['accepted', 'duplicate', 'ignored'], {
    description:
      'accepted: it will be processed. duplicate: it was accepted before. ignored: it moves no ' +
      'money, or belongs to another mode or account.',
  }),
  reason: Type.Optional(Type.Enum(['type', 'mode', 'account'])),
});
export type WebhookReceipt = Static<typeof WebhookReceipt>;

export const WebhookQuery = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        description: 'A key with the permission webhook, for clients that cannot send a header.',
      }),
    ),
  },
  { additionalProperties: false },
);
