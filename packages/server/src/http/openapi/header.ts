import { LIMITS } from '@decision-ledger/contract/limits';
import type { FastifyContextConfig } from 'fastify';
import { LENIENT, type Preference, SIGNED_RECEIPT } from '../request-headers.js';

/** Everything of the description that does not depend on a route. */
export function header(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Decision Ledger',
      description:
        'A tamper-evident record of what AI agents decide, linked to the money that moved. Every answer ' +
        'is `{data, meta}`, every failure `{error: {code, message, details?}}`. The live stream is ' +
        'described in /asyncapi.json.',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: serversAt(''),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: { securitySchemes: SECURITY_SCHEMES },
    security: [{ key: [] }, { session: [] }],
  };
}

/** @param path below which a proxy makes the service public */
export function serversAt(path: string) {
  return [
    { url: path === '' ? '/' : path, description: 'The service that serves this description' },
  ];
}

const TAGS = {
  decisions: 'Recording, finding and verifying decisions',
  'financial events': 'Money that moved',
  links: 'Which decision caused which financial event',
  reviews: 'Financial events whose cause a person should confirm',
  analytics: 'Profit and loss, exposure, agents and experiments',
  budgets: 'What agents may lose, refund or put at risk, and how much of it is left',
  exports: 'Signed evidence for auditors',
  transparency: 'Signed trees over the chains, which anybody can check',
  activity: 'All other changes that evidence depends on',
  keys: 'API keys',
  sessions: 'Sessions of people',
  settings: 'Settings of the organisation',
  accounting: 'Connections to accounting systems',
  stream: 'Live events of a ledger',
  jobs: 'Failed background jobs',
  alerts: 'Requests that the service sends',
  service: 'Health and description of the service',
} as const;

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Response headers that several operations send. */
export const HEADERS = {
  RequestId: text('Identifies the request in the logs of the service.'),
  RateLimit: text('What is left of the rate limit: `"read";r=99;t=1`.'),
  RateLimitPolicy: text('The rate limit that the request counts against: `"read";q=100;w=1`.'),
  RetryAfter: {
    description: 'Seconds after which to retry.',
    schema: { type: 'integer', minimum: 0 },
  },
  IdempotencyReplayed: {
    description: 'Sent if the answer repeats the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: text('Identifies this state. Send it in `If-Match` with a change.'),
  NextCursor: text('The cursor of the next page of a table; absent on the last page.'),
} as const;

/** What each preference asks for, and what an answer says that meets it. */
const PREFERENCES = {
  [SIGNED_RECEIPT]: {
    asked: '`receipt=signed` adds a signature to the receipt.',
    applied: 'Sent if the receipt is signed, as the request preferred.',
  },
  [LENIENT]: {
    asked:
      '`handling=lenient` records the decisions that are valid, and lists the others in `refused`.',
    applied: 'Sent if the decisions were refused one by one, as the request preferred.',
  },
} as const satisfies Record<Preference, unknown>;

/** The header that asks for a preference. */
export function preferHeader(preference: Preference) {
  return {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: `${PREFERENCES[preference].asked} Other preferences are ignored.`,
    schema: { type: 'string', maxLength: 1000 },
    example: preference,
  } as const;
}

/** The header that says that a preference was met. */
export function preferenceApplied(preference: Preference) {
  return {
    description: PREFERENCES[preference].applied,
    schema: { type: 'string', const: preference },
  } as const;
}

/** The header that makes it safe to repeat a request. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes it safe to repeat the request: it takes effect once.',
  schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyChars },
  example: '6f1f2a9e-order-1042',
} as const;

/** The header that keeps a change from overwriting one that the caller has not seen. */
export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the state that the change was made for: if the state is another one by now, the ' +
    'request is refused. Without it, the change applies to whatever the state is.',
  schema: { type: 'string', maxLength: 1000 },
  example: '"5f0c6d1b2a3e4f5061728394a5b6c7d8"',
} as const;

/** The ways to authenticate. Each operation lists those that it accepts. */
export const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Ledger-Key', description: 'An API key.' },
  session: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'An API key, for clients that cannot send a header. Logs do not show it.',
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A ticket of POST /stream/tickets, which opens the stream once.',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description: 'The signature of a download link, together with its other parameters.',
  },
} as const;

export type SecurityScheme = keyof typeof SECURITY_SCHEMES;

/** The ways that a route accepts, each an alternative to the others. */
export function securityOf(config: FastifyContextConfig): SecurityScheme[] {
  if (config.permission === undefined) return [];
  const schemes: SecurityScheme[] = config.refusesSessions === true ? ['key'] : ['key', 'session'];
  if (config.keyInQuery !== undefined) schemes.push('keyInQuery');
  if (config.handshake === true) schemes.push('ticket');
  if (config.signedQuery === true) schemes.push('signature');
  return schemes;
}

/** A way to authenticate in AsyncAPI 3.0, which calls an API key of HTTP `httpApiKey`. */
export function asyncApiScheme(name: SecurityScheme) {
  const scheme = SECURITY_SCHEMES[name];
  return scheme.type === 'apiKey' ? { ...scheme, type: 'httpApiKey' } : scheme;
}
