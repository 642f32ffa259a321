import { type Columns, irrelevant } from './basis.js';

/** Tables on which neither evidence nor a figure depends. */
export const UNRELATED_TABLES: Readonly<Record<string, Columns>> = {
  accounting_connections: irrelevant(
    'where a poll of an accounting system stopped',
    ...['connection_id', 'cursor', 'ledger_id', 'polled_at', 'problem', 'refresh_token'],
  ),
  accounting_records: irrelevant(
    'which external records were seen; events have their origin',
    ...['connection_id', 'event_id', 'fingerprint', 'is_deleted', 'ledger_id', 'record_key'],
  ),
  agent_patterns: irrelevant(
    'counts from which attribution learns; a model has its digest in the chain',
    ...['action_type', 'agent_id', 'confirmed', 'day', 'event_type', 'ledger_id', 'rejected'],
  ),
  alert_states: irrelevant('which alerts were sent', ...['ledger_id', 'state', 'updated_at']),
  alerts: irrelevant(
    'messages to operators',
    ...['alert_id', 'claimed_at', 'created_at', 'delivered_at', 'ledger_id', 'payload'],
  ),
  announcement_heads: irrelevant(
    'the position of a log that is not evidence',
    ...['ledger_id', 'pruned_seq', 'seq'],
  ),
  announcements: irrelevant(
    'messages of the stream, which are deleted after a week',
    ...['created_at', 'data', 'ledger_id', 'seq', 'subject', 'type'],
  ),
  attribution_drifts: irrelevant(
    'findings about a model, for operators',
    ...['data', 'detected_at', 'found', 'ledger_id', 'metric', 'month'],
  ),
  attribution_states: irrelevant(
    'the progress of attribution',
    ...[
      'checked_day',
      'checked_reviews',
      'erasures',
      'features_seq',
      'identified',
      'label_changed_at',
      'label_withdrawn',
      'ledger_id',
    ],
  ),
  audit_strata: irrelevant(
    'how events were drawn for audits',
    ...['band', 'drawn_from', 'events', 'ledger_id', 'month', 'source'],
  ),
  closing_states: irrelevant(
    'the progress of nightly runs',
    ...['activity_seq', 'ledger_id', 'run_day'],
  ),
  decision_features: irrelevant(
    'hashes from which attribution searches',
    ...[
      'action_type',
      'agent_id',
      'decision_id',
      'features',
      'ledger_id',
      'says_it_failed',
      'seq',
      'timestamp',
      'tokens',
    ],
  ),
  decision_tokens: irrelevant(
    'an index of attribution',
    ...['ledger_id', 'seq', 'timestamp', 'token'],
  ),
  event_observations: irrelevant(
    'hashes from which attribution learns',
    ...['event_id', 'ledger_id', 'observation', 'seq'],
  ),
  event_scores: irrelevant(
    'the work of attribution; suggested links have records of their own',
    ...[
      'audit_band',
      'audit_draw',
      'audit_month',
      'audit_probability',
      'audit_source',
      'best_share',
      'candidates',
      'compared',
      'currency',
      'decision_ids',
      'ends_at',
      'event_id',
      'is_suggested',
      'label',
      'lag_hours',
      'ledger_id',
      'left_share',
      'model_id',
      'none_share',
      'observation',
      'place',
      'priority',
      'rest_log_odds',
      'scored_at',
      'shares_identifier',
      'source',
      'worth',
    ],
  ),
  event_tokens: irrelevant(
    'an index of attribution',
    ...['event_id', 'ledger_id', 'timestamp', 'token'],
  ),
  follower_failures: irrelevant(
    'records that were passed over; whoever depends on them compares its own rows',
    ...['failed_at', 'follower', 'ledger_id', 'log', 'reason', 'seq'],
  ),
  follower_positions: irrelevant(
    'up to where the chains were followed',
    ...['failed_at', 'failures', 'follower', 'ledger_id', 'log', 'reason', 'retry_at', 'seq'],
  ),
  idempotency_keys: irrelevant(
    'answers to repeated requests',
    ...['created_at', 'key_mac', 'ledger_id', 'request_mac', 'response'],
  ),
  kept_keys: irrelevant('sealed keys of the service', ...['purpose', 'sealed']),
  liability_drift_states: irrelevant(
    'the progress of a nightly run',
    ...['agent_id', 'ledger_id', 'state', 'variant'],
  ),
  liability_drifts: irrelevant(
    'findings about a model, for operators',
    ...['data', 'detected_at', 'found', 'ledger_id'],
  ),
  liability_states: irrelevant(
    'the progress of nightly runs',
    ...[
      'completed_day',
      'currency',
      'ledger_id',
      'run_after_seq',
      'run_as_of',
      'run_day',
      'run_snapshot',
      'run_until_seq',
    ],
  ),
  installation: irrelevant(
    'which data folder the database belongs to',
    ...['created_at', 'installation_id', 'only_row'],
  ),
  master_key: irrelevant(
    'which key seals secrets',
    ...['done_until', 'key_id', 'only_row', 'previous_key_id'],
  ),
  rate_leases: irrelevant('rate limits', ...['bucket', 'granted', 'org_id', 'tat']),
  reconciliations: irrelevant(
    'the results of earlier comparisons, for alerts',
    ...['activity_seq', 'finished_at', 'findings', 'first_finding', 'ledger_id', 'run_day'],
  ),
  restored_ledgers: irrelevant(
    'what was found after a restore; the acceptance is chained',
    ...['accepted_at', 'accepts_fork', 'backup_made_at', 'expected_hash', 'expected_seq'],
    ...['found_at', 'from_hash', 'from_seq', 'ledger_id', 'withdrawn_at'],
  ),
  schema_migrations: irrelevant(
    'the schema of the database',
    ...['applied_at', 'checksum', 'name', 'version'],
  ),
  stream_tickets: irrelevant(
    'short-lived tickets',
    ...['expires_at', 'key_id', 'ledger_id', 'session_id', 'ticket_hash'],
  ),
  stripe_events: irrelevant(
    'deliveries that events were made of; the events have records',
    ...['ledger_id', 'object_id', 'payload', 'received_at', 'received_by', 'stripe_event_id'],
  ),
  token_frequencies: irrelevant('an index of attribution', ...['decisions', 'ledger_id', 'token']),
  verifications: irrelevant(
    'the results of earlier verifications, for display',
    ...[
      'chain',
      'erased_fields',
      'head_hash',
      'head_seq',
      'is_valid',
      'ledger_id',
      'records_checked',
      'verified_at',
    ],
  ),
  checkpoints: irrelevant(
    'a signature protects each, and the chain records every checkpoint of decisions',
    ...['chain', 'created_at', 'generation', 'ledger_id', 'note', 'root', 'size'],
  ),
  export_checkpoints: irrelevant(
    'which checkpoints are kept; a bundle holds its own',
    ...['chain', 'export_id', 'generation', 'ledger_id', 'size'],
  ),
  tlog_keys: irrelevant(
    'the chain records the public key; a wrong one signs nothing that it verifies',
    ...['chain', 'created_at', 'generation', 'ledger_id', 'private_key', 'public_key'],
  ),
  tlog_tiles: irrelevant(
    'hashes of the records, which the nightly rebuild of a log computes again',
    ...['chain', 'generation', 'hashes', 'ledger_id', 'level', 'tile'],
  ),
  tlogs: irrelevant(
    'the tree of the records, which the nightly rebuild of a log computes again',
    ...[
      'chain',
      'closed_at',
      'created_at',
      'fault',
      'frontier',
      'generation',
      'ledger_id',
      'origin',
      'rebuilt_at',
      'size',
    ],
  ),
};
