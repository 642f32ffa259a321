import { claimed, fixed, type Tables, unchecked } from './column.js';

const OWNER = 'judgement/attribution';
const LEARNED = 'the model is learned from it; scores name their model, whose digest is recorded';

/** What attribution learns from, learned, and worked out. */
export const ATTRIBUTION_TABLES: Tables = {
  attribution_models: {
    owner: OWNER,
    columns: {
      ...fixed('published', 'identity', 'ledger_id', 'model_id'),
      ...fixed('published', 'entry', 'version', 'snapshot', 'created_at'),
      ...claimed('published', LEARNED, 'as_of_day', 'identified', 'is_refresh', 'settings'),
      ...claimed('published', LEARNED, 'observations_seq', 'reviews_seq'),
    },
  },
  attribution_drifts: {
    owner: OWNER,
    columns: claimed(
      'published',
      'findings about a model, for operators',
      ...['data', 'detected_at', 'found', 'ledger_id', 'metric', 'month'],
    ),
  },
  attribution_states: {
    owner: OWNER,
    columns: {
      ...unchecked(
        'operational',
        'the progress of attribution',
        ...['checked_day', 'checked_reviews', 'erasures', 'ledger_id'],
      ),
      ...unchecked(
        'derived',
        'the last observations of events, counted: attribution learns from them',
        'identified',
      ),
      ...unchecked(
        'derived',
        'follows from the last record of a label that was withdrawn or restored',
        'label_withdrawn',
      ),
      ...claimed(
        'published',
        'the chain records the change of the label at a time of its own',
        'label_changed_at',
      ),
    },
  },
  audit_strata: {
    owner: OWNER,
    columns: claimed(
      'published',
      'how events were drawn for audits',
      ...['band', 'drawn_from', 'events', 'ledger_id', 'month', 'source'],
    ),
  },
  event_observations: {
    owner: OWNER,
    columns: claimed('published', LEARNED, 'event_id', 'ledger_id', 'observation', 'seq'),
  },
  event_scores: {
    owner: OWNER,
    columns: {
      // The counts of values and the features that the event was compared with have changed since.
      ...claimed(
        'published',
        'what reviewers are shown, as it was worked out when the event was scored; suggested links have records',
        ...['best_share', 'candidates', 'compared', 'currency', 'decision_ids', 'ends_at'],
        ...['event_id', 'is_suggested', 'label', 'lag_hours', 'ledger_id', 'left_share'],
        ...['model_id', 'none_share', 'observation', 'place', 'priority', 'rest_log_odds'],
        ...['scored_at', 'shares_identifier', 'source', 'worth'],
      ),
      ...claimed(
        'published',
        'how the event was drawn for an audit; the answer to it is sealed with its probability',
        ...['audit_band', 'audit_draw', 'audit_month', 'audit_probability', 'audit_source'],
      ),
    },
  },
  agent_patterns: {
    owner: OWNER,
    columns: unchecked(
      'derived',
      'counts from which attribution learns; a model has its digest in the chain',
      ...['action_type', 'agent_id', 'confirmed', 'day', 'event_type', 'ledger_id', 'rejected'],
    ),
  },
  decision_features: {
    owner: OWNER,
    columns: unchecked(
      'derived',
      'hashes from which attribution searches',
      ...['action_type', 'agent_id', 'decision_id', 'features', 'ledger_id', 'says_it_failed'],
      ...['seq', 'timestamp', 'tokens'],
    ),
  },
  decision_tokens: {
    owner: OWNER,
    columns: unchecked(
      'derived',
      'an index of attribution',
      ...['ledger_id', 'seq', 'timestamp', 'token'],
    ),
  },
  event_tokens: {
    owner: OWNER,
    columns: unchecked(
      'operational',
      'which later decisions let an event be scored again, as it was compared last',
      ...['event_id', 'ledger_id', 'timestamp', 'token'],
    ),
  },
  token_frequencies: {
    owner: OWNER,
    columns: unchecked('derived', 'an index of attribution', 'decisions', 'ledger_id', 'token'),
  },
};
