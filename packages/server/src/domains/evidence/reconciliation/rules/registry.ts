import {
  type Columns,
  identity,
  irrelevant,
  provenByChain,
  recomputed,
  recorded,
  sealed,
  unproven,
} from './basis.js';
import { SEALED_TABLES } from './sealed-tables.js';
import { ROW_TABLES } from './tables.js';
import { UNRELATED_TABLES } from './unrelated-tables.js';

const LEARNED = 'the model is learned from it; scores name their model, whose digest is recorded';

const SEALED: Readonly<Record<string, Columns>> = Object.fromEntries(
  SEALED_TABLES.map((table) => [table.table, sealed(table)]),
);

/** What every column rests on. A test compares it with the schema. */
export const REGISTRY: Readonly<Record<string, Columns>> = {
  activity: provenByChain(
    ...['activity_id', 'actor', 'created_at', 'data', 'entry', 'epoch', 'hash', 'ledger_id'],
    ...['prev_hash', 'seq', 'subject', 'type', 'when'],
  ),
  chains: provenByChain('chain', 'epoch', 'genesis', 'genesis_hash', 'ledger_id'),
  chain_heads: provenByChain('chain', 'created_at', 'epoch', 'hash', 'ledger_id', 'seq'),
  decisions: provenByChain(
    ...['action_type', 'agent_id', 'alternatives', 'confidence', 'created_at', 'decision_id'],
    ...['entry', 'epoch', 'hash', 'human_in_loop', 'inputs', 'ledger_id', 'metadata', 'outputs'],
    ...['prev_hash', 'seq', 'terms', 'timestamp'],
  ),
  financial_events: {
    ...recorded(ROW_TABLES.financial_events),
    ...recomputed('counted_amount'),
  },
  links: {
    ...recorded(ROW_TABLES.links),
    ...irrelevant('the order of the review queue', 'review_priority'),
  },
  api_keys: recorded(ROW_TABLES.api_keys),
  sessions: recorded(ROW_TABLES.sessions),
  settings: { ...identity('ledger_id'), document: { by: 'entry' }, updated_at: { by: 'entry' } },
  exports: {
    ...recorded(ROW_TABLES.exports),
    ...irrelevant('what filter_commitment commits to, until the file is removed', 'filter'),
    ...irrelevant(
      'the progress of an export; its bundle names what it holds',
      ...['activity_seq', 'completed_at', 'created_at', 'decisions', 'expires_at', 'failures'],
      ...['file', 'is_large', 'org_id', 'range_basis', 'reason', 'status', 'total', 'written'],
    ),
  },
  closed_months: recorded(ROW_TABLES.closed_months),
  month_restatements: {
    ...identity('ledger_id', 'month'),
    ...Object.fromEntries(
      ['activity_hash', 'activity_seq', 'changes', 'figures', 'restated_at'].map((name) => [
        name,
        { by: 'entry' } as const,
      ]),
    ),
    ...irrelevant('the night of the run; restated_at is recorded', 'run_day'),
  },
  signing_keys: {
    ...identity('org_id', 'fingerprint'),
    public_key: { by: 'entry' },
    retired_at: { by: 'entry' },
    ...unproven('the chains of two ledgers record it at two times', 'created_at'),
    ...irrelevant('a wrong one signs nothing that its public key verifies', 'private_key'),
  },
  attribution_models: {
    ...identity('ledger_id', 'model_id'),
    version: { by: 'entry' },
    snapshot: { by: 'entry' },
    created_at: { by: 'entry' },
    ...unproven(LEARNED, 'as_of_day', 'identified', 'is_refresh', 'observations_seq'),
    ...unproven(LEARNED, 'reviews_seq', 'settings'),
  },
  link_allocations: {
    ...identity('ledger_id', 'link_id'),
    ...recomputed('action_type', 'agent_id', 'amount', 'currency', 'decision_seq', 'event_id'),
    ...recomputed('label', 'link_type', 'share', 'timestamp'),
  },
  exposure_cells: {
    ...identity('ledger_id', 'hour', 'agent_id', 'action_type', 'variant'),
    ...recomputed('confidence', 'decisions', 'denied', 'event_squares', 'events', 'exposure'),
    ...recomputed('overseen', 'realised', 'sizes', 'squares', 'stake', 'unconverted'),
  },
  liability_estimates: {
    ...identity('ledger_id', 'seq'),
    ...recomputed(
      ...['action_type', 'agent_id', 'confidence', 'decision_id', 'denied', 'oversight'],
      ...['reading', 'stated_amount', 'stated_currency', 'timestamp', 'variant'],
      ...['agent_factor', 'amount_at_risk', 'amount_basis', 'base_rate', 'confidence_factor'],
      ...['events', 'exposure', 'high', 'human_factor', 'is_prior', 'loss_p50', 'loss_p95'],
      ...['loss_probability', 'low', 'open_share', 'own_currency', 'own_exposure', 'own_high'],
      ...['own_low', 'realised', 'severity', 'severity_spread', 'sizes', 'stake', 'uncertainty'],
      ...['unconverted', 'version_factor'],
    ),
    ...unproven(
      'the figures are computed again with them: they say which night the estimate is of',
      ...['estimated_at', 'revision', 'snapshot_id'],
    ),
  },
  liability_history: {
    ...identity('ledger_id', 'seq', 'revision'),
    ...recomputed(
      ...['agent_factor', 'amount_at_risk', 'amount_basis', 'base_rate', 'confidence_factor'],
      ...['exposure', 'high', 'human_factor', 'is_prior', 'loss_p50', 'loss_p95'],
      ...['loss_probability', 'low', 'open_share', 'own_currency', 'own_exposure', 'own_high'],
      ...['own_low', 'severity', 'severity_spread', 'uncertainty', 'version_factor'],
    ),
    ...unproven(
      'what links moved at that time; of decisions that never had a link they are computed again',
      ...['realised', 'unconverted'],
    ),
    ...unproven(
      'the figures are computed again with them: they say which night the estimate is of',
      ...['estimated_at', 'snapshot_id'],
    ),
  },
  link_reviews: {
    ...identity('ledger_id', 'link_id'),
    ...recomputed('action_type', 'agent_id', 'currency', 'event_type', 'lag_hours', 'magnitude'),
    ...recomputed('created_at', 'verdict'),
    ...irrelevant('a name of the row, which nothing refers to', 'review_id'),
  },
  experiment_assignments: {
    ...identity('ledger_id', 'seq'),
    ...recomputed('arm', 'experiment_id', 'is_valid', 'propensity', 'timestamp'),
  },
  ...SEALED,
  event_reviews: {
    ...SEALED.event_reviews,
    ...irrelevant('who is shown with an answer; the chain records its author', 'answered_by'),
  },
  ledgers: {
    ...provenByChain('ledger_id', 'mode', 'org_id'),
    ...irrelevant('the genesis of each chain names its own time', 'created_at'),
  },
  organisations: {
    ...provenByChain('org_id'),
    ...irrelevant('a display name, and the time of registration', 'name', 'created_at'),
  },
  ...UNRELATED_TABLES,
};
