export type { FirstEstimate, FirstEstimates, FirstModel, StatedRisk } from './first-estimates.js';
export type { ChangedLink, EventEffect, LinkReview, RecordHooks } from './record-hooks.js';
