import { type Static, type TProperties, Type } from 'typebox';
import { CLOSED, printable, secret, url, Word } from './setting-fields.js';
import { CURRENCY_PATTERN, CURRENCY_PROBLEM, Id, Timestamp } from './shared.js';

/** Defaults of every accounting connection. */
export const ACCOUNTING_DEFAULTS = { poll_seconds: 300, large_changes: 'confirm' };

const ConnectionId = Type.String({
  ...Word,
  description: 'Name of the connection, unique in the settings.',
});

const PollSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  default: ACCOUNTING_DEFAULTS.poll_seconds,
  description: 'Seconds between two polls.',
});

const LargeChanges = Type.Enum(['confirm', 'apply'], {
  default: ACCOUNTING_DEFAULTS.large_changes,
  description:
    'What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them.',
});

interface ConnectionFields<Kind extends string, Fields extends TProperties> {
  readonly kind: Kind;
  /** The settings of this kind alone. */
  readonly fields: Fields;
  /** Fields made by `secret`. A secret kept by its mask stays with the addresses in `urls`. */
  readonly secrets: readonly (keyof Fields & string)[];
  /** Fields made by `url`, in the order in which errors name them. */
  readonly urls: readonly (keyof Fields & string)[];
}

/** Describes a kind of accounting connection as the settings hold it. */
function describeConnection<const Kind extends string, Fields extends TProperties>({
  kind,
  fields,
  secrets,
  urls,
}: ConnectionFields<Kind, Fields>) {
  const schema = Type.Object(
    {
      id: ConnectionId,
      kind: Type.Literal(kind),
      ...fields,
      poll_seconds: PollSeconds,
      large_changes: LargeChanges,
    },
    CLOSED,
  );
  return { kind, schema, secrets, urls };
}

const API_URL = Type.Optional(url('Address of the API. Default: that of the system.'));

/** A connection to an hledger-web server. */
const hledger = describeConnection({
  kind: 'hledger',
  fields: {
    url: url('Address of the hledger-web server.'),
    accounts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Only these accounts and their subaccounts. Default: the revenue and expense accounts.',
      }),
    ),
    commodities: Type.Optional(
      Type.Record(
        Type.String({ pattern: String.raw`^[\s\S]{0,50}$` }),
        Type.String({ pattern: CURRENCY_PATTERN, 'x-problem': CURRENCY_PROBLEM }),
        {
          additionalProperties: false,
          maxProperties: 100,
          'x-names': 'must have a name of at most 50 characters',
          description:
            'The currency (ISO 4217) of each commodity that is no such code, such as {"kr": "SEK", "$": "AUD"}.',
        },
      ),
    ),
  },
  secrets: [],
  urls: ['url'],
});

/** A connection to a QuickBooks Online company. */
const quickbooks = describeConnection({
  kind: 'quickbooks',
  fields: {
    realm_id: Type.String({ ...Word, description: 'ID of the company.' }),
    client_id: Type.String({
      pattern: String.raw`^[\x21-\x7e]{1,200}$`,
      description: 'Client ID of the app.',
      'x-problem': 'must be 1 to 200 ASCII characters without spaces',
    }),
    client_secret: secret(printable(500), 'Client secret of the app.'),
    refresh_token: secret(printable(1000), 'The OAuth 2.0 refresh token.'),
    environment: Type.Enum(['sandbox', 'production'], {
      description: 'The environment of the company.',
    }),
    api_url: API_URL,
    token_url: Type.Optional(url('Address of the token endpoint. Default: the address of Intuit.')),
  },
  secrets: ['client_secret', 'refresh_token'],
  urls: ['api_url', 'token_url'],
});

const RESTRICTED_KEY = {
  pattern: 'rk_(?:live|test)_[A-Za-z0-9_]+',
  maxLength: 300,
  problem: 'must be a restricted key of Stripe, which begins with rk_live_ or rk_test_',
};

/** A connection to an account with Stripe: its balance transactions and payouts. */
const stripe = describeConnection({
  kind: 'stripe',
  fields: {
    api_key: secret(RESTRICTED_KEY, 'Restricted API key of the account, which may only read.'),
    api_url: API_URL,
  },
  secrets: ['api_key'],
  urls: ['api_url'],
});

/** Every kind of accounting connection. */
export const ACCOUNTING = { hledger, quickbooks, stripe } as const;

export type AccountingKind = keyof typeof ACCOUNTING;

export const ACCOUNTING_KINDS = Object.values(ACCOUNTING).map(({ kind }) => kind);

/** A connection of one kind, as the settings hold it. */
export type ConnectionOf<Kind extends AccountingKind> = {
  [One in Kind]: Static<(typeof ACCOUNTING)[One]['schema']> & { readonly kind: One };
}[Kind];

export type AccountingConnection = ConnectionOf<AccountingKind>;

const schemas = Object.values(ACCOUNTING).map(({ schema }) => schema);

/** The type is given, because TypeBox infers none for a union of a list. */
export const AccountingConnection = Object.assign(
  Type.Unsafe<AccountingConnection>(Type.Union(schemas)),
  { anyOf: schemas },
);

/** Why a plan of a poll is withheld. */
export const BRAKE_REASONS = ['deletions', 'month', 'confirmed', 'sums'] as const;
export type BrakeReason = (typeof BRAKE_REASONS)[number];

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Decimal = (description: string) => Type.String({ description });

const WithheldSum = Type.Object({
  currency: Type.String(),
  before: Decimal('The sum of the recorded events.'),
  after: Decimal('The sum after the deletions and changes.'),
});
export type WithheldSum = Static<typeof WithheldSum>;

/** What deletions and changes are, and do: of a plan, and of an alert about it. */
export const WITHHELD_FIGURES = {
  plan: Type.String({ description: 'What a release names.' }),
  since: Timestamp,
  reasons: Type.Array(Type.Enum([...BRAKE_REASONS]), {
    description:
      'deletions: more than a tenth of the events, and at least three. month: all events of a month. confirmed: an ' +
      'event with a link that a person made or confirmed. sums: more than a tenth of the money of a currency.',
  }),
  deleted: Count('Events that would be deleted.'),
  changed: Count('Events that would be superseded.'),
  confirmed: Count('Deleted ones with a link that a person made or confirmed.'),
  months: Type.Array(Type.String(), { description: 'Months that would be empty, as YYYY-MM.' }),
  sums: Type.Array(WithheldSum, {
    description: 'Sums of the connection, for each currency whose sum would change.',
  }),
};

/** Deletions and changes that wait until a person releases them. */
export const WithheldPlan = Type.Object({
  ...WITHHELD_FIGURES,
  held_back: Count(
    'New records that are not recorded yet, because they may be edits of deleted ones.',
  ),
  polls: Count('Polls in a row that found the same.'),
  items: Type.Array(
    Type.Object({
      change: Type.Enum(['deleted', 'changed']),
      event: Id('evt'),
      amount: Type.String(),
      currency: Type.String(),
      description: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'The first 20 events.' },
  ),
  is_released: Type.Boolean({
    description: 'Whether the next poll that finds the same applies it.',
  }),
});
export type WithheldPlan = Static<typeof WithheldPlan>;

/** The body of POST /accounting/connections/{id}/release. */
export const PlanRelease = Type.Object(
  { plan: Type.String({ maxLength: 100, description: 'The plan that is withheld.' }) },
  CLOSED,
);

/** An accounting connection of the settings, and how its last poll went. */
export const ConnectionState = Type.Object({
  id: Type.String(),
  kind: Type.Enum(ACCOUNTING_KINDS),
  polled_at: Type.Union([Timestamp, Type.Null()], { description: 'Null before the first poll.' }),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last poll failed, or what it could not import; null if it succeeded.',
  }),
  problem_count: Count('Records that the last poll could not import, or not assign for certain.'),
  withheld: Type.Union([WithheldPlan, Type.Null()], {
    description:
      'Deletions and changes that the last poll found and did not apply; null if there are none.',
  }),
  is_poll_pending: Type.Boolean({
    description: 'Whether a poll is queued, running, or waiting for a retry.',
  }),
});
export type ConnectionState = Static<typeof ConnectionState>;

/** The answer to GET /accounting/connections. */
export const ConnectionStates = Type.Object({ connections: Type.Array(ConnectionState) });
