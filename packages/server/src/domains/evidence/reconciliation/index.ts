export { requestDueReconciliations } from './nightly-run.js';
export { RECONCILIATION } from './queue.js';
export { reconcile, reconcileKept, reconcileWithHistory } from './reconcile.js';
export { findingText } from './rules/text.js';
