/**
 * The queries that an event makes stale, by the first part of their key. `figures` are sums over the
 * ledger. Lists are not read again: a list in view would jump.
 */
export const AFFECTED: Readonly<Record<string, readonly string[]>> = {
  'decision.recorded': ['figures'],
  'financial_event.recorded': ['figures', 'reviews'],
  'financial_event.deleted': ['figures', 'reviews', 'decision', 'event'],
  'link.created': ['figures', 'reviews', 'decision', 'event'],
  'link.suggested': ['figures', 'reviews', 'decision', 'event'],
  'link.confirmed': ['figures', 'reviews', 'decision', 'event'],
  'link.rejected': ['figures', 'reviews', 'decision', 'event'],
  'link.deleted': ['figures', 'reviews', 'decision', 'event'],
  'liability_estimate.updated': ['figures', 'decision'],
  'drift.detected': ['figures'],
  'chain.verified': ['verification'],
  'export.updated': ['exports'],
};
