export { listLiabilityDrifts } from './detect-drift.js';
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
export {
  type LiabilityModels,
  liabilityModels,
  newestEstimationModel,
  readLiabilityModel,
} from './models.js';
export { requestDueRuns, runNow } from './nightly-run.js';
export { previewSettings } from './preview-settings.js';
export { decisionEstimates, exposureCells, linkAllocations } from './projections.js';
export { RECALCULATION } from './queue.js';
export {
  listEstimates,
  readBacktest,
  readEstimateCurrency,
  readExposures,
  readLiabilities,
  readLiability,
} from './read.js';
export { forgetFacts, recalculate } from './recalculate.js';
export { type Convert, converter } from './rules/amounts.js';
export {
  type MovedMoney,
  type MovedSum,
  sumMovedMoney,
  sumOpenExposure,
} from './store/measures.js';
export { type CostScope, type CostSum, sumRunningCosts } from './store/running-costs.js';
export { selectStrayHistory } from './store/stored-rows.js';
export type { EstimationModel } from './stored-snapshot.js';
