/** Tables that may hold payloads of decisions, or data derived from them. */
export const ERASED_FROM = [
  ...['decisions', 'decision_features', 'token_frequencies'],
  ...['decision_tokens', 'event_scores', 'event_observations'],
  ...['liability_estimates', 'liability_history', 'exposure_cells'],
  ...['announcements', 'idempotency_keys', 'experiment_assignments'],
  'running_costs',
  ...['uploads', 'upload_chunks'],
];
