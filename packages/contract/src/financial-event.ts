import { type Static, Type } from 'typebox';
import { CURRENCY_CODES } from './currency.js';
import { PairPreview } from './dry-run.js';
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
import { MoneyKind, Standing } from './source-profiles.js';

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

/** An amount without sign, for a filter. */
const Size = (description: string) =>
  Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,19})(?:\\.[0-9]{1,12})?$',
    description,
    'x-problem': 'must be a decimal without sign, such as "1250.00"',
  });

const Words = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

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

/** The events that report the same money. It counts once. */
export const Movement = Type.Object({
  lead: Id('evt', 'The event whose amount, currency and time count.'),
  reports: Type.Array(Id('evt'), {
    minItems: 1,
    description:
      'All events that report this money, by id. One that nothing else reports is alone.',
  }),
});
export type Movement = Static<typeof Movement>;

/** How the movement of an event is related to another one, by what their events state. */
const Relation = Type.Object({
  relation: Type.Enum(['reverses', 'part_of', 'settles', 'converts'], {
    description:
      'reverses: gives back, or takes back, what the other moved. part_of: is contained in the other, such as a charge in ' +
      'a payout. settles: pays what the other announced. converts: is the other side of a conversion.',
  }),
  direction: Type.Enum(['to', 'from'], {
    description:
      'to: this movement is so related to the other. from: the other is so related to this one.',
  }),
  reference: Type.String({ description: 'The `external_id` that names what the relation is to.' }),
  report: Type.Union(
    [
      Type.Object({
        id: Id('evt'),
        event_type: Type.String(),
        amount: Type.String(),
        currency: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The event of the other movement. Null if none is recorded.' },
  ),
  movement: Type.Union([Id('evt'), Type.Null()], {
    description: 'The event that leads the other movement.',
  }),
});
export type Relation = Static<typeof Relation>;

/** What the parts of an event come to, in its currency. */
const MovementParts = Type.Object({
  currency: Type.String(),
  amount: Type.String({ description: 'Of the event itself.' }),
  sum: Type.String({ description: 'Of its parts, as they were settled.' }),
  difference: Type.String({ description: '`amount` less `sum`. 0 if nothing is missing.' }),
  unknown: Type.Integer({ description: 'Parts without an amount in this currency.' }),
  types: Type.Array(
    Type.Object({ event_type: Type.String(), count: Type.Integer(), amount: Type.String() }),
    { description: 'Sums of all parts, by type.' },
  ),
});
export type MovementParts = Static<typeof MovementParts>;

/** A financial event, what it counts as, and the movement that it belongs to, with its relations. */
export const RelatedEvent = Type.Object({
  ...FinancialEvent.properties,
  kind: MoneyKind,
  standing: Standing,
  movement: Type.Object({
    ...Movement.properties,
    relations: Type.Array(Relation, {
      description: 'The first 100 relations to other movements.',
    }),
    parts: Type.Union([MovementParts, Type.Null()], {
      description:
        'The check of what a payout, or any other event, consists of. Null if nothing is part of it.',
    }),
  }),
});
export type RelatedEvent = Static<typeof RelatedEvent>;

/** A financial event, what it counts as, and the movement that it belongs to. */
export const ReportedEvent = Type.Object({
  ...FinancialEvent.properties,
  kind: MoneyKind,
  standing: Standing,
  movement: Movement,
});
export type ReportedEvent = Static<typeof ReportedEvent>;

export const FinancialEventPage = Type.Object({
  financial_events: Type.Array(ReportedEvent),
  next_cursor: NextCursor,
});
export type FinancialEventPage = Static<typeof FinancialEventPage>;

/** The body of POST /movements/pair and /movements/withdraw. */
export const PairBody = Type.Object(
  {
    reports: Type.Array(Id('evt'), {
      minItems: 2,
      maxItems: 100,
      description: 'Two events, or more: what is said is said of the first and each other one.',
    }),
  },
  { additionalProperties: false },
);
export type PairBody = Static<typeof PairBody>;

/** The answer to POST /movements/pair: the movement as it is now, or would be. */
export const PairedMovement = Type.Object({
  ...Movement.properties,
  dry_run: Type.Optional(PairPreview),
});
export type PairedMovement = Static<typeof PairedMovement>;

/** The body of POST /movements/part. */
export const PartBody = Type.Object(
  {
    report: Id('evt', 'The event that reports other money.'),
    from: Type.Optional(
      Id('evt', 'The event whose money it is not. Default: all others of its movement.'),
    ),
  },
  { additionalProperties: false },
);
export type PartBody = Static<typeof PartBody>;

/** What events are searched by. */
export const EVENT_SEARCH = {
  source: Type.Optional(Name('Only events of this source.')),
  amount: Type.Optional(Size('Only events of this amount, in or out.')),
  min_amount: Type.Optional(Size('Only events of at least this amount, in or out.')),
  max_amount: Type.Optional(Size('Only events of at most this amount, in or out.')),
  text: Type.Optional(
    Words('Only events whose description and reference have all of these words.'),
  ),
  metadata_value: Type.Optional(
    Words('Only events with this value in their metadata, such as the id of a customer.'),
  ),
};

export const FinancialEventQuery = Type.Object(
  {
    ...EVENT_SEARCH,
    event_type: Type.Optional(Name('Only events of this type.')),
    external_id: Type.Optional(Name('Only events with this reference.')),
    currency: Type.Optional(CurrencyFilter),
    include_deleted: Type.Optional(
      Type.Boolean({ description: 'Include soft-deleted and superseded events. Default: false.' }),
    ),
    kind: Type.Optional(MoneyKind),
    standing: Type.Optional(Standing),
    reverses_unknown: Type.Optional(
      Type.Boolean({
        description:
          'Only events that reverse a payment which is not recorded, such as its refund.',
      }),
    ),
    ...RangeParameters,
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type FinancialEventQuery = Static<typeof FinancialEventQuery>;
