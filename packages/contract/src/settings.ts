import { type Static, Type } from 'typebox';
import { AttributionSettings, DEFAULT_ATTRIBUTION } from './attribution.js';
import { DEFAULT_LIABILITY, LiabilitySettings } from './liability-settings.js';
import { CURRENCY_PATTERN, CURRENCY_PROBLEM, Day } from './shared.js';

/** The default settings. */
export const DEFAULT_SETTINGS = {
  rate_limits: {
    ingest_per_second: 100,
    batch_per_second: 10,
    read_per_second: 1000,
    handshakes_per_minute: 30,
    exports_per_hour: 1,
  },
  base_currency: 'USD',
  exchange_rates: [],
  stripe: { signing_secrets: [] },
  accounting: [],
  alerts: { url: null, secret: null, backlog_seconds: 300 },
  attribution: DEFAULT_ATTRIBUTION,
  liability: DEFAULT_LIABILITY,
  stream: { max_connections: 100 },
};

/** The default settings of an accounting connection. */
export const ACCOUNTING_DEFAULTS = { poll_seconds: 300 };

const CLOSED = { additionalProperties: false } as const;

/** The mask of a secret in responses. A patch that sends the mask keeps the secret. */
export const MASK = String.raw`\*{8}[0-9a-f]{8}`;

/** The format of a secret and its error message. */
interface SecretForm {
  readonly pattern: string;
  readonly maxLength: number;
  readonly problem: string;
}

/** A text that is encrypted at rest and masked in responses. */
const secret = ({ pattern, maxLength, problem }: SecretForm, description: string) =>
  Type.String({
    writeOnly: true,
    minLength: 1,
    maxLength,
    pattern: `^(?:${pattern}|${MASK})$`,
    'x-problem': problem,
    description: `Secret. ${description}`,
  });

const printable = (maxLength: number): SecretForm => ({
  pattern: String.raw`[\x21-\x7e]+`,
  maxLength,
  problem: `must be 1 to ${maxLength} ASCII characters without spaces`,
});

const SIGNING_SECRET = {
  pattern: String.raw`whsec_[\x21-\x7e]+`,
  maxLength: 200,
  problem: 'must be `whsec_` and up to 194 ASCII characters without spaces',
};

const BASE64 = '[A-Za-z0-9+/]';

const ALERT_SECRET = {
  pattern:
    `whsec_(?:(?:${BASE64}{4}){8,20}(?:${BASE64}{2}==|${BASE64}{3}=)?` +
    `|(?:${BASE64}{4}){21}(?:${BASE64}{2}==)?)`,
  maxLength: 94,
  problem: 'must be `whsec_` and the base64 of 24 to 64 bytes',
};

const figure = (name: keyof typeof DEFAULT_SETTINGS.rate_limits, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: DEFAULT_SETTINGS.rate_limits[name],
    description,
  });

/** Rate limits of an organisation, shared by both modes. */
const RateLimits = Type.Object(
  {
    ingest_per_second: figure('ingest_per_second', 'Single writes.'),
    batch_per_second: figure('batch_per_second', 'POST /decisions/batch.'),
    read_per_second: figure('read_per_second', 'Reads.'),
    handshakes_per_minute: figure('handshakes_per_minute', 'Stream handshakes, per IP.'),
    exports_per_hour: figure('exports_per_hour', 'POST /exports.'),
  },
  { additionalProperties: false },
);

const Currency = (description: string) =>
  Type.String({ pattern: CURRENCY_PATTERN, description, 'x-problem': CURRENCY_PROBLEM });

const ExchangeRate = Type.Object(
  {
    from: Currency('The source currency (ISO 4217).'),
    to: Currency('The target currency (ISO 4217), different from `from`.'),
    date: Day('The first day on which the rate applies.'),
    rate: Type.String({
      pattern: String.raw`^(?!0(?:\.0+)?$)(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$`,
      'x-problem':
        'must be a decimal above zero such as "1.0825", with at most 12 digits before and 12 after ' +
        'the point',
      description:
        'The value of one unit of `from` in `to`: a decimal above zero, with at most 12 digits ' +
        'before and 12 after the point.',
    }),
  },
  CLOSED,
);
export type ExchangeRate = Static<typeof ExchangeRate>;

const Stripe = Type.Object(
  {
    signing_secrets: Type.Array(secret(SIGNING_SECRET, 'Signing secret of a webhook endpoint.'), {
      maxItems: 5,
      default: DEFAULT_SETTINGS.stripe.signing_secrets,
      description: 'An event is accepted if one of these secrets signed it.',
    }),
  },
  CLOSED,
);

/** The pattern of a stored URL; new URLs are checked further. */
export const URL_PATTERN = '^https?://';

const url = (description: string) =>
  Type.String({
    pattern: URL_PATTERN,
    maxLength: 2000,
    description: `${description} An http or https URL without user name and password.`,
    'x-problem': 'must be an http or https URL without user name and password',
  });

const Word = {
  pattern: '^[A-Za-z0-9_-]{1,50}$',
  'x-problem': 'must be 1 to 50 letters, digits, hyphens and underscores',
};

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

/** Settings of former releases, with their replacements. */
const RETIRED = {
  'x-retired': {
    allow_private_addresses:
      'is no longer a setting: the operator of the service allows private addresses with the ' +
      'environment variable LEDGER_ALLOW_PRIVATE_ADDRESSES',
  },
};

/** A connection to an hledger-web server. */
const HledgerConnection = Type.Object(
  {
    id: ConnectionId,
    kind: Type.Literal('hledger'),
    url: url('Address of the hledger-web server.'),
    accounts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Only these accounts and their subaccounts. Default: the revenue and expense accounts.',
      }),
    ),
    poll_seconds: PollSeconds,
  },
  { ...CLOSED, ...RETIRED },
);

/** A connection to a QuickBooks Online company. */
const QuickbooksConnection = Type.Object(
  {
    id: ConnectionId,
    kind: Type.Literal('quickbooks'),
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
    api_url: Type.Optional(url('Address of the API. Default: that of the environment.')),
    token_url: Type.Optional(url('Address of the token endpoint. Default: that of Intuit.')),
    poll_seconds: PollSeconds,
  },
  { ...CLOSED, ...RETIRED },
);

const AccountingConnection = Type.Union([HledgerConnection, QuickbooksConnection]);
export type AccountingConnection = Static<typeof AccountingConnection>;

const Alerts = Type.Object(
  {
    url: Type.Union([url('Where alerts are sent.'), Type.Null()], {
      default: DEFAULT_SETTINGS.alerts.url,
      description: 'Where alerts are sent. Null: no alerts are sent.',
    }),
    secret: Type.Union([secret(ALERT_SECRET, 'Signs the alerts.'), Type.Null()], {
      default: DEFAULT_SETTINGS.alerts.secret,
      description:
        'The secret that signs the alerts (Standard Webhooks): `whsec_` and the base64 of 24 to 64 bytes.',
    }),
    backlog_seconds: Type.Integer({
      minimum: 10,
      maximum: 86_400,
      default: DEFAULT_SETTINGS.alerts.backlog_seconds,
      description: 'How many seconds background work may wait before an alert is sent.',
    }),
  },
  { ...CLOSED, ...RETIRED },
);

/** Settings of the live stream, shared by both modes. */
const Stream = Type.Object(
  {
    max_connections: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: DEFAULT_SETTINGS.stream.max_connections,
      description: 'Maximum number of open stream connections per process, shared by both modes.',
    }),
  },
  CLOSED,
);

/** The settings document. Secrets are plain or masked, never encrypted. */
export const Settings = Type.Object(
  {
    rate_limits: RateLimits,
    base_currency: {
      ...Currency('The currency of totals (ISO 4217).'),
      default: DEFAULT_SETTINGS.base_currency,
    },
    exchange_rates: Type.Array(ExchangeRate, {
      maxItems: 10_000,
      default: DEFAULT_SETTINGS.exchange_rates,
      description: 'Exchange rates, at most one per currency pair and day.',
    }),
    stripe: Stripe,
    accounting: Type.Array(AccountingConnection, {
      maxItems: 20,
      default: DEFAULT_SETTINGS.accounting,
      description: 'Accounting systems that are polled.',
    }),
    alerts: Alerts,
    attribution: AttributionSettings,
    liability: LiabilitySettings,
    stream: Stream,
  },
  CLOSED,
);
export type Settings = Static<typeof Settings>;
