import { claimed, derived, fixed, sealed, type Tables, unchecked } from './column.js';
import { SEALED_TABLES } from './sealed-tables.js';

const OWNER = 'judgement/liability';
const NIGHT = 'the figures are computed again with them: they say which night the estimate is of';

/** What decisions moved and may still cost. */
export const LIABILITY_TABLES: Tables = {
  link_allocations: {
    owner: OWNER,
    columns: {
      ...derived('identity', 'ledger_id', 'link_id'),
      ...derived('recomputed', 'action_type', 'agent_id', 'amount', 'currency', 'decision_seq'),
      ...derived('recomputed', 'event_id', 'label', 'link_type', 'share', 'timestamp'),
    },
  },
  liability_estimates: {
    owner: OWNER,
    columns: {
      // Of a missing row, the published values are made again as far as they follow from the decision and the history.
      ...fixed('published', 'identity', 'ledger_id', 'seq'),
      ...derived(
        ...(['recomputed', 'action_type', 'agent_id', 'confidence', 'decision_id'] as const),
        ...[
          'denied',
          'oversight',
          'provenance',
          'reading',
          'stated_amount',
          'stated_currency',
          'timestamp',
        ],
        ...['variant', 'agent_factor', 'amount_at_risk', 'amount_basis', 'base_rate'],
        ...['confidence_factor', 'events', 'exposure', 'high', 'human_factor', 'is_prior'],
        ...['loss_p50', 'loss_p95', 'loss_probability', 'low', 'open_share', 'outlier'],
        ...[
          'own_currency',
          'own_exposure',
          'own_high',
          'own_low',
          'realised',
          'severity',
          'severity_spread',
        ],
        ...['sizes', 'stake', 'uncertainty', 'unconverted', 'version_factor'],
      ),
      ...claimed('published', NIGHT, 'estimated_at', 'revision', 'snapshot_id'),
    },
  },
  liability_history: {
    owner: OWNER,
    columns: {
      ...fixed('published', 'identity', 'ledger_id', 'seq', 'revision'),
      ...fixed(
        ...(['published', 'recomputed', 'agent_factor', 'amount_at_risk'] as const),
        ...['amount_basis', 'base_rate', 'confidence_factor', 'exposure', 'high', 'human_factor'],
        ...['is_prior', 'loss_p50', 'loss_p95', 'loss_probability', 'low', 'open_share', 'outlier'],
        ...['own_currency', 'own_exposure', 'own_high', 'own_low', 'severity', 'severity_spread'],
        ...['uncertainty', 'version_factor'],
      ),
      ...claimed(
        'published',
        'what links moved at that time; of decisions that never had a link they are computed again',
        ...['realised', 'unconverted'],
      ),
      ...claimed('published', NIGHT, 'estimated_at', 'snapshot_id'),
    },
  },
  liability_snapshots: {
    owner: OWNER,
    columns: sealed('published', SEALED_TABLES.liability_snapshots),
  },
  liability_forecasts: {
    owner: OWNER,
    columns: sealed('published', SEALED_TABLES.liability_forecasts),
  },
  liability_drifts: {
    owner: OWNER,
    columns: claimed(
      'published',
      'findings about a model, for operators',
      ...['data', 'detected_at', 'found', 'ledger_id'],
    ),
  },
  liability_drift_states: {
    owner: OWNER,
    columns: unchecked(
      'operational',
      'the progress of the test for drift',
      ...['agent_id', 'ledger_id', 'state', 'variant'],
    ),
  },
  liability_states: {
    owner: OWNER,
    columns: unchecked(
      'operational',
      'the progress of nightly runs and of sums',
      ...['completed_day', 'currency', 'ledger_id', 'run_after_seq', 'run_as_of'],
      ...['run_day', 'run_snapshot', 'run_until_seq'],
    ),
  },
  exposure_cells: {
    owner: OWNER,
    columns: {
      ...derived('identity', 'ledger_id', 'hour', 'agent_id', 'action_type', 'variant'),
      ...derived('recomputed', 'confidence', 'decisions', 'denied', 'event_squares', 'events'),
      ...derived('recomputed', 'exposure', 'overseen', 'realised', 'sizes', 'squares', 'stake'),
      ...derived('recomputed', 'unconverted'),
    },
  },
  exposure_days: { owner: OWNER, columns: sealed('published', SEALED_TABLES.exposure_days) },
};
