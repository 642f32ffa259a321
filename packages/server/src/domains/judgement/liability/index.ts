export { describeEstimate, money } from './describe.js';
export { firstEstimate, recordFirstEstimates } from './first-estimates.js';
export { type LiabilityModels, liabilityModels, readModel } from './models.js';
export { requestDueRuns, runNow } from './nightly-run.js';
export { RECALCULATION } from './queue.js';
export { listEstimates, readEstimateCurrency, readLiabilities, readLiability } from './read.js';
<<<<<<< HEAD
export { forgetFacts, type RecalculateTools, recalculate } from './recalculate.js';
=======
export {
  forgetStatedAmount,
  type RecalculateTools,
  recalculate,
  recount,
} from './recalculate.js';
>>>>>>> w/signs
export { rollUpLedgers } from './roll-up.js';
export { type Aggregate, aggregateInSteps, type Pool } from './rules/aggregate.js';
export { type Convert, converter } from './rules/amounts.js';
export type { Risk } from './rules/risk.js';
export type { NewEstimate } from './store/estimates.js';
export type { Model } from './stored-snapshot.js';
