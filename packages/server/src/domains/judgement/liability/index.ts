export { money } from './describe.js';
export { listLiabilityDrifts } from './detect-drift.js';
export { decisionEstimates } from './estimate-projection.js';
export { readEventEffect } from './event-effect.js';
export { type EstimateFault, findEstimateFaults } from './find-estimate-faults.js';
export { findHistoryFaults, type HistoryFault } from './find-history-faults.js';
export { firstEstimates } from './first-estimates.js';
export { estimateFollower, storeEstimates } from './follow.js';
export {
  isUnmoved,
  type KnownEstimates,
  readKnownEstimates,
  readStoredEstimates,
  withEstimates,
} from './known-estimates.js';
export { type LiabilityModels, liabilityModels, newestEstimationModel } from './models.js';
export { requestDueRuns, runNow } from './nightly-run.js';
export { previewSettings } from './preview-settings.js';
export { exposureCells, linkAllocations } from './projections.js';
export { RECALCULATION } from './queue.js';
export {
  listEstimates,
  readEstimateCurrency,
  readExposures,
  readLiabilities,
  readLiability,
} from './read.js';
export { readBacktest } from './read-backtest.js';
export { readLiabilityModel } from './read-model.js';
export { forgetFacts, recalculate } from './recalculate.js';
export { type Convert, converter } from './rules/amounts.js';
export { selectStrayHistory } from './store/stored-history.js';
export type { EstimationModel } from './stored-snapshot.js';
