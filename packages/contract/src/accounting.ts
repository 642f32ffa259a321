import { type Static, type TProperties, Type } from 'typebox';
import { CLOSED, printable, secret, url, Word } from './setting-fields.js';
import { Timestamp } from './shared.js';

/** Defaults of every accounting connection. */
export const ACCOUNTING_DEFAULTS = { poll_seconds: 300 };

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
    { id: ConnectionId, kind: Type.Literal(kind), ...fields, poll_seconds: PollSeconds },
    CLOSED,
  );
  return { kind, schema, secrets, urls };
}

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
    api_url: Type.Optional(url('Address of the API. Default: the address of the environment.')),
    token_url: Type.Optional(url('Address of the token endpoint. Default: the address of Intuit.')),
  },
  secrets: ['client_secret', 'refresh_token'],
  urls: ['api_url', 'token_url'],
});

/** Every kind of accounting connection. */
export const ACCOUNTING = { hledger, quickbooks } as const;

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

/** An accounting connection of the settings, and how its last poll went. */
export const ConnectionState = Type.Object({
  id: Type.String(),
  kind: Type.Enum(ACCOUNTING_KINDS),
  polled_at: Type.Union([Timestamp, Type.Null()], { description: 'Null before the first poll.' }),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last poll failed, or what it could not import; null if it succeeded.',
  }),
  is_poll_pending: Type.Boolean({
    description: 'Whether a poll is queued, running, or waiting for a retry.',
  }),
});
export type ConnectionState = Static<typeof ConnectionState>;

/** The answer to GET /accounting/connections. */
export const ConnectionStates = Type.Object({ connections: Type.Array(ConnectionState) });
