import { createHash, createHmac, randomUUID } from 'node:crypto';
import { maximalBodies } from './bodies.js';
import {
  FIRST,
  largeDecision,
  largeEvent,
  largestSettings,
  manyRates,
  members,
  STRIPE_SECRET,
} from './data.js';

/**
 * @typedef {object} Case a request that is as large as the documentation allows, in one respect
 * @property {string} what
 * @property {string} method
 * @property {string} path
 * @property {'live' | 'test' | null} [ledger] whose key is sent; default: live
 * @property {string | Buffer} [body]
 * @property {Record<string, string>} [headers]
 */

/** @typedef {import('./data.js').World} World */

const MIB = 1024 * 1024;
const DEPTH = 65;
const RANGE = 'start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z';
const PAGE = 500;
/** The documented maximum. */
const MOST_RATES = 10_000;

const pageOf = (/** @type {World} */ { share }) => `limit=${Math.ceil(PAGE * share)}`;

/**
 * @param {string} what
 * @param {string} path below /api/v1
 * @param {Partial<Case>} [more]
 * @returns {Case}
 */
const get = (what, path, more = {}) => ({ what, method: 'GET', path: `/api/v1${path}`, ...more });

/** @param {string} what @param {string} path @param {unknown} body @param {Partial<Case>} [more] @returns {Case} */
const post = (what, path, body, more = {}) => ({
  what,
  method: 'POST',
  path: `/api/v1${path}`,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

/** As many unknown parameters as fit into a URL, and one long one. @param {string} path @returns {Case[]} */
const queries = (path) => [
  get(
    'unknown parameters',
    `${path}?${Array.from({ length: 2000 }, (_, n) => `a${n}=1`).join('&')}`,
  ),
  get('a long parameter', `${path}?limit=${'9'.repeat(14_000)}`),
];

/** @param {World} world @param {string} path @param {string} [filters] */
const list = (world, path, filters = '') => [
  get('a full page', `${path}?${pageOf(world)}${filters}`),
  get('a full page of large records', `${path}?${pageOf(world)}${filters}`, { ledger: 'test' }),
  ...queries(path),
];

/** A body that a route does not declare, or refuses. @param {World} world @param {string} path @param {Partial<Case>} [more] */
const bodies = ({ share }, path, more = {}, bytes = MIB) =>
  maximalBodies({
    bytes: bytes * share,
    members: 100_000 * share,
    values: 1_000_000 * share,
    depth: DEPTH,
  }).map(({ what, body }) => post(what, path, body, more));

/** Distinct for each request: a repeat would be answered from what is stored. */
const fresh = () => randomUUID();

/** @type {Record<string, (world: World) => Case[]>} by operationId */
export const CASES = {
  getVersion: () => queries('/version'),
  getHealth: () => queries('/healthz'),
  getReadiness: () => queries('/readyz'),
  getMetrics: () => [get('all figures', '/metrics', { path: '/metrics' })],
  getOpenApi: () => [get('the description', '/openapi.json', { path: '/openapi.json' })],
  getAsyncApi: () => [get('the description', '/asyncapi.json', { path: '/asyncapi.json' })],

  recordDecision: (world) => [
    post('four fields of 256 KiB', '/decisions', largeDecision(1, world.share)),
    post('the same with a key', '/decisions', largeDecision(2, world.share), {
      headers: { 'idempotency-key': fresh() },
    }),
    post('10,000 members in metadata', '/decisions', {
      ...smallDecision(1),
      metadata: members(25 * 10_000 * world.share, 12),
    }),
    post('many alternatives', '/decisions', {
      ...smallDecision(2),
      alternatives: Array.from({ length: 60_000 * world.share }, () => ({})),
    }),
    ...bodies(world, '/decisions'),
  ],
  recordDecisions: (world) => [
    post('100 decisions, 99,000 members', '/decisions/batch', {
      decisions: many(100, () => ({
        ...smallDecision(3),
        inputs: members(980 * world.share * 20, 7),
      })),
    }),
    post('8 MiB of text', '/decisions/batch', {
      decisions: many(100, () => ({
        ...smallDecision(3),
        inputs: { text: 'x'.repeat(40_000 * world.share) },
        outputs: { text: '€'.repeat(13_000 * world.share) },
        idempotency_key: fresh(),
      })),
    }),
    post('a million values', '/decisions/batch', {
      decisions: many(100, () => ({
        ...smallDecision(3),
        inputs: { list: many(9900 * world.share, () => 1) },
      })),
    }),
    post('100 decisions that are not valid', '/decisions/batch', {
      decisions: many(100, () => ({ ...smallDecision(3), ...members(900 * world.share * 20, 7) })),
    }),
    ...bodies(world, '/decisions/batch', {}, 8 * MIB),
  ],
  eraseDecisionFields: (world) => [
    post(
      'four large fields',
      `/decisions/${world.large.decisions[0]}/erase`,
      {
        fields: ['inputs', 'outputs', 'alternatives', 'metadata'],
        reason: 'x'.repeat(1000),
      },
      { ledger: 'test' },
    ),
    ...bodies(world, `/decisions/${world.decisions[0]}/erase`),
  ],
  listDecisions: (world) => [
    ...list(world, '/decisions'),
    get(
      'every filter',
      `/decisions?${pageOf(world)}&${RANGE}&agent_id=agent-1&action_type=type-1&min_confidence=0&max_confidence=1&human_in_loop=false&metadata.customer_id=C-1`,
    ),
    get(
      'many filters of metadata',
      `/decisions?${Array.from({ length: 600 }, (_, n) => `metadata.k${n}=value`).join('&')}`,
    ),
  ],
  verifyDecisionChain: () => [get('the whole chain', '/decisions/chain/verify')],
  getDecision: (world) => [
    get('with links', `/decisions/${world.decisions[0]}`),
    get('four large fields', `/decisions/${world.large.decisions.at(-1)}`, { ledger: 'test' }),
  ],
  listLiabilityEstimates: (world) => list(world, `/decisions/${world.decisions[0]}/liability`),
  search: (world) => [
    get('a customer of many', `/search?q=C-1&${pageOf(world)}`),
    get('among large records', `/search?q=C-1&${pageOf(world)}`, { ledger: 'test' }),
    get('a long text', `/search?q=${'x'.repeat(200)}`),
  ],

  getPnl: () => [
    get('all of a year by customer', `/analytics/ai-pnl?${RANGE}&group_by=customer`),
    get('the same as CSV', `/analytics/ai-pnl?${RANGE}&group_by=customer&format=csv`),
  ],
  listPnlRows: (world) => [
    ...list(world, '/analytics/ai-pnl/rows'),
    get('as CSV', `/analytics/ai-pnl/rows?${pageOf(world)}&format=csv`),
  ],
  listClosedMonths: (world) => list(world, '/analytics/months'),
  getTimeline: (world) => [
    get(
      'by hour and agent',
      `/analytics/timeline?${timelineRange(world)}&bucket=hour&group_by=agent`,
    ),
    get(
      'the same as CSV',
      `/analytics/timeline?${timelineRange(world)}&bucket=hour&group_by=agent&format=csv`,
    ),
    get('too many rows', `/analytics/timeline?bucket=hour&group_by=action_type`),
  ],
  listAgents: (world) => [
    ...list(world, '/analytics/agents'),
    get('as CSV', `/analytics/agents?${pageOf(world)}&format=csv`),
  ],
  getAttributionQuality: () => [get('all of a year', `/analytics/attribution-quality?${RANGE}`)],
  getAttributionModel: () => [get('the newest', '/analytics/attribution-model')],
  getExposure: (world) => [
    get('all of a year', `/analytics/liability?${RANGE}&top=${Math.ceil(100 * world.share)}`),
  ],
  getRunningCost: () => [get('all of a year', `/analytics/running-cost?${RANGE}`)],
  listBudgets: () => [get('none', '/budgets')],
  checkBudgets: () => [get('none', '/budgets/check?agent_id=agent-1&action_type=type-1')],
  getLiabilityBacktest: () => [get('all', '/analytics/liability/backtest')],
  getLiabilityModel: () => [
    get('all', '/analytics/liability/model'),
    get('an action type', '/analytics/liability/model?action_type=type-1'),
  ],
  listExposureRows: (world) => list(world, '/analytics/liability/rows'),
  listExperiments: (world) => list(world, '/analytics/experiments'),
  getExperiment: () => [
    get('every decision', '/analytics/experiments/tone?comparison=plain&horizon_days=1'),
    get(
      'with covariates',
      '/analytics/experiments/tone?comparison=plain&horizon_days=2&covariates=true&history_days=365',
    ),
  ],

  listActivity: (world) => list(world, '/activity'),
  verifyActivityChain: () => [get('the whole chain', '/activity/chain/verify')],
  getLastVerification: () => [get('the last', '/verification')],
  listKeys: (world) => list(world, '/keys'),
  issueKey: (world) => [
    post('the longest', '/keys', { name: 'x'.repeat(200), permissions: ['read'] }),
    ...bodies(world, '/keys'),
  ],
  revokeKey: (world) => [
    { what: 'a key', method: 'DELETE', path: `/api/v1/keys/${world.keys.pop()}` },
  ],
  listSessions: (world) => list(world, '/sessions'),
  openSession: (world) => [
    post('the longest', '/sessions', { name: 'x'.repeat(200), permissions: ['read'] }),
    ...bodies(world, '/sessions'),
  ],
  revokeSession: () => [
    { what: 'no session', method: 'DELETE', path: `/api/v1/sessions/${unknownId('ses')}` },
  ],
  getMe: () => [get('the caller', '/me')],
  getSettings: () => [get('the largest', '/settings')],
  changeSettings: (world) => {
    const path = '/api/v1/settings';
    const method = 'PATCH';
    const rates = { exchange_rates: manyRates(MOST_RATES * world.share) };
    const { liability } = largestSettings(world.size);
    return [
      {
        what: 'dry run over all decisions',
        method,
        path: `${path}?dry_run=true`,
        body: '{"liability":{"response_cost":"12.00"}}',
      },
      { what: 'as many rates as fit', method, path, body: JSON.stringify(rates) },
      { what: 'no rates', method, path, body: '{"exchange_rates":null}' },
      { what: 'a thousand action types', method, path, body: JSON.stringify({ liability }) },
      ...bodies(world, '/settings', { method }),
    ];
  },

  recordFinancialEvent: (world) => [
    post(
      '256 KiB of metadata',
      '/financial-events',
      largeEvent(Number.parseInt(fresh(), 16), world.share),
    ),
    post('10,000 members in metadata', '/financial-events', {
      ...largeEvent(Number.parseInt(fresh(), 16), 0.01),
      metadata: members(18 * 10_000 * world.share, 5),
    }),
    ...bodies(world, '/financial-events'),
  ],
  listFinancialEvents: (world) =>
    list(world, '/financial-events', `&${RANGE}&include_deleted=true&source=shop`),
  deleteFinancialEvent: (world) => [
    {
      what: 'with links',
      method: 'DELETE',
      path: `/api/v1/financial-events/${world.events.shift()}`,
    },
  ],
  getFinancialEvent: (world) => [
    get('256 KiB of metadata', `/financial-events/${world.large.events.at(-1)}`, {
      ledger: 'test',
    }),
  ],
  explainCause: (world) => {
    const { events, decisions } = world.large;
    const query = `decision_id=${decisions.at(-1)}`;
    return [
      get('256 KiB in both', `/financial-events/${events.at(-1)}/explanation?${query}`, {
        ledger: 'test',
      }),
    ];
  },
  listSameMoney: (world) => list(world, '/movements/same-money'),
  pairReports: (world) => [
    post('two events', '/movements/pair', { reports: world.events.slice(-2) }),
    ...bodies(world, '/movements/pair'),
  ],
  partReport: (world) => [
    post('an event', '/movements/part', { report: world.events.at(-1) }),
    ...bodies(world, '/movements/part'),
  ],
  withdrawSameMoney: (world) => [
    post('two events', '/movements/withdraw', { reports: world.events.slice(-2) }),
    ...bodies(world, '/movements/withdraw'),
  ],
  createLink: (world) => [
    post('the longest', '/links', {
      decision_id: world.decisions[1],
      financial_event_id: world.events.at(-1),
      correlation_strength: 0.1,
      link_type: 'revenue',
      attribution_method: 'manual',
      notes: '€'.repeat(2000),
    }),
    ...bodies(world, '/links'),
  ],
  listLinks: (world) => list(world, '/links', '&include_deleted=true'),
  deleteLink: (world) => [
    { what: 'a link', method: 'DELETE', path: `/api/v1/links/${world.links.pop()}` },
  ],
  getLink: (world) => [get('a link', `/links/${world.links[1]}`)],
  confirmLink: (world) => [
    post('a dry run', `/links/${world.links[1]}/confirm?dry_run=true`, {}),
    ...bodies(world, `/links/${world.links[1]}/confirm`),
  ],
  rejectLink: (world) => [
    post('a dry run', `/links/${world.links[1]}/reject?dry_run=true`, {}),
    ...bodies(world, `/links/${world.links[1]}/reject`),
  ],
  listReviews: (world) => [
    ...list(world, '/reviews'),
    get(
      'every filter',
      `/reviews?${pageOf(world)}&kind=queue&currency=USD&source=shop&min_amount=1`,
    ),
  ],
  listGivenAnswers: (world) => list(world, '/reviews/answers', `&${RANGE}`),
  answerReview: (world) => [
    post('a dry run', `/reviews/${world.events.at(-1)}?dry_run=true`, { none: true }),
    ...bodies(world, `/reviews/${world.events.at(-1)}`),
  ],
  withdrawReview: (world) => [
    { what: 'no review', method: 'DELETE', path: `/api/v1/reviews/${world.events.at(-2)}` },
  ],

  requestExport: (world) => bodies(world, '/exports'),
  listExports: (world) => list(world, '/exports'),
  getExport: (world) => [get('an export', `/exports/${world.exported}`)],
  listExportCustody: (world) => list(world, `/exports/${world.exported}/custody`),
  downloadExport: (world) => [get('a bundle of everything', `/exports/${world.exported}/download`)],
  listSigningKeys: (world) => list(world, '/signing-keys'),
  getLog: () => [get('decisions', '/log/decisions')],
  getCheckpoint: () => [get('decisions', '/log/decisions/checkpoint')],
  getTile: () => [
    get('entries', '/log/decisions/tile/entries/000'),
    get('hashes', '/log/decisions/tile/0/000'),
  ],
  getConsistency: () => [get('from the start', '/log/decisions/consistency?first=1&second=4096')],
  getDecisionProof: (world) => [get('the first', `/decisions/${world.decisions[0]}/proof`)],
  getPublicCheckpoint: (world) => [
    get('decisions', `/logs/${world.ledgerId}/decisions/checkpoint`),
  ],
  getPublicTile: (world) => [get('hashes', `/logs/${world.ledgerId}/decisions/tile/0/000`)],
  getPublicConsistency: (world) => [
    get('from the start', `/logs/${world.ledgerId}/decisions/consistency?first=1&second=4096`),
  ],
  presentDecision: (world) => [
    post(
      'four large fields',
      `/decisions/${world.large.decisions.at(-1)}/presentation`,
      {
        fields: ['inputs', 'outputs', 'alternatives', 'metadata'],
      },
      { ledger: 'test' },
    ),
    ...bodies(world, `/decisions/${world.decisions[0]}/presentation`),
  ],
  createUpload: (world) => bodies(world, '/uploads'),
  getUpload: () => [get('no upload', `/uploads/${unknownId('upl')}`)],
  appendToUpload: (world) => [
    {
      what: 'the last chunk of 64 MiB',
      method: 'PATCH',
      path: `/api/v1/uploads/${world.upload.id}?offset=${world.upload.offset}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: world.upload.last,
    },
  ],
  downloadUpload: (world) => [get('64 MiB', `/decisions/${world.upload.decision}/uploads/outputs`)],
  listFollowers: () => queries('/followers'),
  listSpanGroups: () => queries('/otlp/spans'),
  listDeadJobs: (world) => list(world, '/jobs/dead'),
  retryJob: () => [post('no job', `/jobs/${unknownId('job')}/retry`, '')],
  listAccountingConnections: () => queries('/accounting/connections'),
  pollAccountingConnection: (world) => bodies(world, '/accounting/connections/books/poll'),
  releaseAccountingPlan: (world) => bodies(world, '/accounting/connections/books/release'),
  receiveStripeEvent: (world) =>
    bodies(world, `/financial-events/webhook/stripe?key=${world.webhook}`, { ledger: null }).map(
      signed,
    ),
  issueStreamTicket: (world) => bodies(world, '/stream/tickets'),
  openStream: () => [get('without an upgrade', '/ws/v1/stream', { path: '/ws/v1/stream' })],
  exportMetrics: (world) => bodies(world, '', { path: '/v1/metrics' }, 8 * MIB),
  exportLogs: (world) => bodies(world, '', { path: '/v1/logs' }, 8 * MIB),
  exportTraces: (world) => [
    ...bodies(world, '', { path: '/v1/traces' }, 8 * MIB),
    {
      what: '10,000 spans',
      method: 'POST',
      path: '/v1/traces',
      body: JSON.stringify(traces(10_000 * world.share, 12)),
    },
  ],
};

/** @param {World} world */
function timelineRange({ share }) {
  const hours = 101 * share * 3_600_000;
  const [start, end] = [FIRST - hours, FIRST + hours].map((at) => new Date(at).toISOString());
  return `start=${start}&end=${end}`;
}

/** @template T @param {number} count @param {(n: number) => T} make */
const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

/** @param {number} n */
const smallDecision = (n) => ({
  agent_id: 'small',
  action_type: `type-${n}`,
  confidence: 0.5,
  inputs: {},
  outputs: {},
});

/** @param {string} prefix */
const unknownId = (prefix) => `${prefix}_01kpat0fe0ec88qqtsarzj0nhh`;

/** @param {Case} request */
function signed(request) {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', STRIPE_SECRET)
    .update(`${at}.${request.body}`)
    .digest('hex');
  return { ...request, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
}

/** @param {number} spans @param {number} attributes of each */
function traces(spans, attributes) {
  const traceId = createHash('md5').update(fresh()).digest('hex');
  return {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeSpans: [
          {
            spans: many(spans, (n) => ({
              traceId,
              spanId: n.toString(16).padStart(16, '1'),
              name: 'execute_tool refund',
              ...{
                startTimeUnixNano: '1776330000000000000',
                endTimeUnixNano: '1776330001000000000',
              },
              attributes: many(attributes, (at) => ({
                key: `k${at}`,
                value: { stringValue: 'value' },
              })),
            })),
          },
        ],
      },
    ],
  };
}
