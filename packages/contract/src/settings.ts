import { type Static, Type } from 'typebox';
import { AccountingConnection } from './accounting.js';
import { AttributionSettings, DEFAULT_ATTRIBUTION } from './attribution.js';
import { Budget } from './budget.js';
import { DEFAULT_LIABILITY, LiabilitySettings } from './liability-settings.js';
import { LIMITS } from './limits.js';
import { ModelPrice } from './model-price.js';
import { DEFAULT_OTLP, OtlpSettings } from './otlp-settings.js';
import { CLOSED, secret, url } from './setting-fields.js';
import { CURRENCY_PATTERN, CURRENCY_PROBLEM, Day } from './shared.js';

const DEFAULT_ANALYTICS = { customer_key: 'customer_id', close_after_days: 10 };

/** Settings of the profit and loss. */
const AnalyticsSettings = Type.Object(
  {
    customer_key: Type.String({
      minLength: 1,
      maxLength: 200,
      default: DEFAULT_ANALYTICS.customer_key,
      description:
        'The member of the metadata that names the customer: that of the event, else that of the ' +
        'decision.',
    }),
    close_after_days: Type.Integer({
      minimum: 0,
      maximum: 366,
      default: DEFAULT_ANALYTICS.close_after_days,
      description: 'Days after the end of a month (UTC) until its figures are closed.',
    }),
  },
  { additionalProperties: false },
);

const DEFAULT_RECORDING = { max_lateness_seconds: null, max_upload_bytes: LIMITS.uploadBytes };

const DAY = 86_400;

/** What the ledger accepts as a decision. */
const RecordingSettings = Type.Object(
  {
    max_lateness_seconds: Type.Union(
      [Type.Integer({ minimum: DAY, maximum: 3650 * DAY }), Type.Null()],
      {
        default: DEFAULT_RECORDING.max_lateness_seconds,
        description:
          'How far, in seconds, the `timestamp` of a decision may lie before its recording: from 86400 (24 ' +
          'hours) to 315360000. Null: any distance.',
        'x-problem':
          'must be null, or a whole number of seconds from 86400 (24 hours) to 315360000',
      },
    ),
    max_upload_bytes: Type.Integer({
      minimum: LIMITS.payloadFieldBytes,
      maximum: LIMITS.uploadBytes,
      default: DEFAULT_RECORDING.max_upload_bytes,
      description:
        'The largest upload, in bytes: what stands for inputs or outputs that are too large for a request. ' +
        'At most 67108864.',
    }),
  },
  CLOSED,
);

const DEFAULT_CORS = { origins: [] };

/** Pages of other origins that may record decisions. */
const CorsSettings = Type.Object(
  {
    origins: Type.Array(
      Type.String({
        maxLength: 300,
        description: 'An origin such as `https://app.example.com`, as browsers send it.',
      }),
      {
        maxItems: 50,
        default: DEFAULT_CORS.origins,
        description:
          'Origins whose pages may record decisions with `POST /decisions` and its batch. It does not ' +
          'protect a key that was stolen: programs send any origin.',
      },
    ),
  },
  CLOSED,
);

const DEFAULT_TRANSPARENCY = {
  name: 'decision-ledger',
  interval_seconds: 300,
  public: 'none',
};

/** Settings of the transparency logs. */
const TransparencySettings = Type.Object(
  {
    name: Type.String({
      maxLength: 100,
      pattern: '^[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$',
      'x-problem':
        'must be a name such as ledger.example.com: lower-case letters, digits, points, hyphens, ' +
        'underscores and slashes',
      default: DEFAULT_TRANSPARENCY.name,
      description:
        'The first part of the origin of the logs, such as a host name. It applies when the logs are ' +
        'started, and does not change their origin later.',
    }),
    interval_seconds: Type.Integer({
      minimum: 10,
      maximum: 86_400,
      default: DEFAULT_TRANSPARENCY.interval_seconds,
      description: 'How often checkpoints are signed if anything was recorded, in seconds.',
    }),
    public: Type.Enum(['none', 'tree'], {
      default: DEFAULT_TRANSPARENCY.public,
      description:
        'What anybody may read without a key: `none`, or `tree`: checkpoints, the hashes of the tree ' +
        'and consistency proofs. Entries need a key in either case.',
    }),
  },
  { additionalProperties: false },
);

/**
 * The default settings.
 *
 * @example
 * ```ts
 * import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
 *
 * DEFAULT_SETTINGS.base_currency; // => 'USD'
 * ```
 */
export const DEFAULT_SETTINGS = {
  rate_limits: {
    ingest_per_second: 100,
    batch_per_second: 10,
    read_per_second: 1000,
    record_per_second: 100,
    handshakes_per_minute: 30,
    exports_per_hour: 1,
  },
  base_currency: 'USD',
  exchange_rates: [],
  model_prices: [],
  stripe: { signing_secrets: [] },
  accounting: [],
  alerts: { url: null, secret: null, backlog_seconds: 300 },
  budgets: [],
  attribution: DEFAULT_ATTRIBUTION,
  liability: DEFAULT_LIABILITY,
  analytics: DEFAULT_ANALYTICS,
  stream: { max_connections: 100 },
  transparency: DEFAULT_TRANSPARENCY,
  otlp: DEFAULT_OTLP,
  recording: DEFAULT_RECORDING,
  cors: DEFAULT_CORS,
};

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
    record_per_second: figure(
      'record_per_second',
      'Requests of keys that have the permission `record` and not `ingest`.',
    ),
    handshakes_per_minute: figure('handshakes_per_minute', 'Stream handshakes, per IP.'),
    exports_per_hour: figure('exports_per_hour', 'POST /exports.'),
  },
  { additionalProperties: false },
);

const Currency = (description: string) =>
  Type.String({ pattern: CURRENCY_PATTERN, description, 'x-problem': CURRENCY_PROBLEM });

export const ExchangeRate = Type.Object(
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
  CLOSED,
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
    model_prices: Type.Array(ModelPrice, {
      maxItems: 1000,
      default: DEFAULT_SETTINGS.model_prices,
      description: 'Prices of models from a day on, for decisions that state tokens but no cost.',
    }),
    stripe: Stripe,
    accounting: Type.Array(AccountingConnection, {
      maxItems: 20,
      default: DEFAULT_SETTINGS.accounting,
      description: 'Accounting systems that are polled.',
    }),
    alerts: Alerts,
    budgets: Type.Array(Budget, {
      maxItems: 50,
      default: DEFAULT_SETTINGS.budgets,
      description:
        'What agents may lose, refund or put at risk. It is reported and never enforced: at 80 and at 100 %, once in a ' +
        'period.',
    }),
    attribution: AttributionSettings,
    liability: LiabilitySettings,
    analytics: AnalyticsSettings,
    stream: Stream,
    transparency: TransparencySettings,
    otlp: OtlpSettings,
    recording: RecordingSettings,
    cors: CorsSettings,
  },
  CLOSED,
);
export type Settings = Static<typeof Settings>;
