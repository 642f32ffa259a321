export {
  RECONCILIATION,
  type ReconciliationThread,
  reconciliationJobs,
  requestDueReconciliations,
} from './nightly-run.js';
export { reconcile, reconcileKept, reconcileWithHistory } from './reconcile.js';
export { findingText } from './rules/tally.js';
