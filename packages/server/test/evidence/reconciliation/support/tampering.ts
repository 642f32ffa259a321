import type { ROW_TABLES, RowTableName } from '#server/tables/recorded-tables';

/** SQL expressions that give each recorded column another valid value. */
type Changes = {
  readonly [Table in RowTableName]: Readonly<
    Record<keyof (typeof ROW_TABLES)[Table]['columns'], string>
  >;
};

const LATER = (column: string) => `coalesce("${column}", now()) + interval '1 day'`;
const OTHER = (column: string) => `coalesce("${column}", '') || 'x'`;
const OTHER_DECISION = (table: string) =>
  `(select d.decision_id from decisions d where d.ledger_id = ${table}.ledger_id
    and d.decision_id <> ${table}.decision_id limit 1)`;
const OTHER_EVENT = (table: string, column: string) =>
  `(select e.event_id from financial_events e where e.ledger_id = ${table}.ledger_id
    and e.event_id <> ${table}.event_id and e.event_id is distinct from ${table}.${column} limit 1)`;

export const CHANGES: Changes = {
  financial_events: {
    source: OTHER('source'),
    event_type: OTHER('event_type'),
    amount: 'amount + 1',
    currency: "'EUR'",
    external_id: OTHER('external_id'),
    timestamp: LATER('timestamp'),
    description: OTHER('description'),
    metadata: `'{"customer":"other"}'`,
    origin: OTHER('origin'),
    supersedes: OTHER_EVENT('financial_events', 'supersedes'),
    superseded_by: OTHER_EVENT('financial_events', 'superseded_by'),
    created_at: LATER('created_at'),
    deleted_at: LATER('deleted_at'),
  },
  links: {
    decision_id: OTHER_DECISION('links'),
    event_id: OTHER_EVENT('links', 'event_id'),
    correlation_strength: 'correlation_strength / 2',
    link_type: "'cost'",
    reversal: 'not reversal',
    attribution_method: `case attribution_method when 'manual' then 'probabilistic' else 'manual' end`,
    status: `case status when 'CONFIRMED' then 'ML_INFERRED' else 'CONFIRMED' end`,
    notes: OTHER('notes'),
    score: `'{"probability":1}'`,
    label: "'matched'",
    inherited_from: OTHER_EVENT('links', 'inherited_from'),
    created_by: OTHER('created_by'),
    created_at: LATER('created_at'),
    reviewed_by: OTHER('reviewed_by'),
    reviewed_at: LATER('reviewed_at'),
    deleted_at: LATER('deleted_at'),
  },
  api_keys: {
    name: OTHER('name'),
    permissions: `array['admin']::text[]`,
    agents: `array['another']::text[]`,
    key_hash: `sha256(key_hash)`,
    created_at: LATER('created_at'),
    expires_at: LATER('expires_at'),
    revoked_at: `case when revoked_at is null then now() end`,
  },
  sessions: {
    key_id: `(select k.key_id from api_keys k where k.ledger_id = sessions.ledger_id
      and k.key_id <> sessions.key_id limit 1)`,
    name: OTHER('name'),
    permissions: `array['read']::text[]`,
    token_hash: `sha256(token_hash)`,
    created_at: LATER('created_at'),
    expires_at: LATER('expires_at'),
    revoked_at: `case when revoked_at is null then now() end`,
  },
  exports: {
    export_type: `'compliance'`,
    agent_id: `'another-agent'`,
    filter_commitment: `'another'`,
    range_start: LATER('range_start'),
    range_end: LATER('range_end'),
    requested_by: OTHER('requested_by'),
    bytes: 'bytes + 1',
    sha256: `repeat('0', 64)`,
    key_fingerprint: `repeat('0', 64)`,
  },
  closed_months: {
    closed_at: LATER('closed_at'),
    activity_seq: 'activity_seq + 1',
    activity_hash: 'sha256(activity_hash)',
    figures: `'{}'`,
  },
};

const ESTIMATE_COPIES: Readonly<Record<string, string>> = {
  action_type: OTHER('action_type'),
  agent_id: OTHER('agent_id'),
  confidence: 'confidence / 2',
  decision_id: 'gen_random_uuid()',
  denied: 'not denied',
  oversight: `case oversight when 'reviewer' then 'none' else 'reviewer' end`,
  provenance: `case provenance when 'read' then 'claimed' else 'read' end`,
  reading: 'reading + 1',
  stated_amount: 'coalesce(stated_amount, 0) + 1',
  stated_currency: `case stated_currency when 'EUR' then 'USD' else 'EUR' end`,
  timestamp: LATER('timestamp'),
  variant: OTHER('variant'),
};

const ESTIMATE_FIGURES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['agent_factor', 'amount_at_risk', 'base_rate', 'confidence_factor', 'events', 'exposure'],
      ...['high', 'human_factor', 'loss_p50', 'loss_p95', 'low', 'realised', 'severity'],
      ...['severity_spread', 'sizes', 'stake', 'uncertainty', 'unconverted', 'version_factor'],
    ].map((name) => [name, `coalesce(${name}, 0) + 1`]),
  ),
  amount_basis: `case amount_basis when 'matrix' then 'approved' else 'matrix' end`,
  is_prior: 'not coalesce(is_prior, false)',
  loss_probability: 'loss_probability / 2',
  outlier: 'not coalesce(outlier, false)',
  open_share: '1 - open_share / 2',
  own_currency: `case own_currency when 'EUR' then 'USD' else 'EUR' end`,
  ...Object.fromEntries(
    ['own_exposure', 'own_high', 'own_low'].map((name) => [name, `coalesce(${name}, 0) + 1`]),
  ),
};

/** Changes of the tables that have few rows, and of sums: table, column and SQL expression. */
export const OTHER_CHANGES: readonly (readonly [table: string, column: string, value: string])[] = [
  ['settings', 'document', `'{"base_currency":"EUR"}'`],
  ['settings', 'updated_at', LATER('updated_at')],
  ['signing_keys', 'public_key', OTHER('public_key')],
  ['signing_keys', 'retired_at', `case when retired_at is null then now() end`],
  ['month_restatements', 'activity_seq', 'activity_seq + 1'],
  ['month_restatements', 'activity_hash', 'sha256(activity_hash)'],
  ['month_restatements', 'figures', `'{}'`],
  ['month_restatements', 'changes', `'[]'`],
  ['month_restatements', 'explanation', `'{}'`],
  ['attribution_models', 'version', OTHER('version')],
  ['attribution_models', 'snapshot', OTHER('snapshot')],
  ['attribution_models', 'created_at', LATER('created_at')],
  ['experiment_assignments', 'experiment_id', OTHER('experiment_id')],
  ['experiment_assignments', 'arm', OTHER('arm')],
  ['experiment_assignments', 'propensity', 'coalesce(propensity, 1) / 2'],
  ['experiment_assignments', 'is_valid', 'not is_valid'],
  ['experiment_assignments', 'timestamp', LATER('timestamp')],
  ['running_costs', 'agent_id', OTHER('agent_id')],
  ['running_costs', 'action_type', OTHER('action_type')],
  ['running_costs', 'timestamp', LATER('timestamp')],
  ['running_costs', 'amount', '1'],
  ['running_costs', 'currency', `'USD'`],
  ['running_costs', 'model', OTHER('model')],
  ['running_costs', 'input_tokens', 'input_tokens + 1'],
  ['running_costs', 'cached_tokens', 'cached_tokens + 1'],
  ['running_costs', 'output_tokens', 'output_tokens + 1'],
  ['financial_events', 'lead_id', OTHER_EVENT('financial_events', 'lead_id')],
  ['link_reviews', 'agent_id', OTHER('agent_id')],
  ['link_reviews', 'action_type', OTHER('action_type')],
  ['link_reviews', 'event_type', OTHER('event_type')],
  ['link_reviews', 'currency', `'ZZZ'`],
  ['link_reviews', 'magnitude', 'magnitude + 1'],
  ['link_reviews', 'lag_hours', 'lag_hours + 1'],
  ['link_reviews', 'created_at', LATER('created_at')],
  ...Object.entries(ESTIMATE_COPIES).map(
    ([column, value]) => ['liability_estimates', column, value] as const,
  ),
];

/** Columns of sums, with an expression for another value. */
export const SUM_CHANGES: readonly (readonly [table: string, column: string, value: string])[] = [
  ['financial_events', 'counted_amount', 'counted_amount * 2'],
  ['financial_events', 'kind', `'tax'`],
  ['financial_events', 'may_include_tax', 'not may_include_tax'],
  ['financial_events', 'standing', `'planned'`],
  ['financial_events', 'uncounted_amount', '7'],
  ['link_allocations', 'event_id', OTHER_EVENT('link_allocations', 'event_id')],
  ['link_allocations', 'amount', 'amount * 2'],
  ['link_allocations', 'share', 'share / 2'],
  ['link_allocations', 'label', `case label when 'matched' then 'guessed' else 'matched' end`],
  ['link_allocations', 'link_type', `'loss'`],
  ['link_allocations', 'currency', `'EUR'`],
  ['link_allocations', 'timestamp', LATER('timestamp')],
  ['link_allocations', 'agent_id', OTHER('agent_id')],
  ['link_allocations', 'action_type', OTHER('action_type')],
  ['link_allocations', 'decision_seq', '3 - decision_seq'],
  ['exposure_cells', 'decisions', 'decisions + 1'],
  ['exposure_cells', 'confidence', 'confidence + 1'],
  ['exposure_cells', 'denied', 'denied + 1'],
  ['exposure_cells', 'event_squares', 'event_squares + 1'],
  ['exposure_cells', 'events', 'events + 1'],
  ['exposure_cells', 'exposure', 'exposure + 0.01'],
  ['exposure_cells', 'overseen', 'overseen + 1'],
  ['exposure_cells', 'realised', 'realised + 1'],
  ['exposure_cells', 'sizes', 'sizes + 1'],
  ['exposure_cells', 'squares', 'squares + 1'],
  ['exposure_cells', 'stake', 'stake + 1'],
  ['exposure_cells', 'unconverted', 'unconverted + 1'],
  ...Object.entries(ESTIMATE_FIGURES).map(
    ([column, value]) => ['liability_estimates', column, value] as const,
  ),
  ...Object.entries(ESTIMATE_FIGURES)
    .filter(([column]) => !['events', 'sizes', 'stake'].includes(column))
    .map(([column, value]) => ['liability_history', column, value] as const),
];
