export type { DecisionTimes, FirstEstimates, FirstModel } from './first-estimates.js';
export type { ChangedLink, EventEffect, LinkReview, RecordHooks } from './record-hooks.js';
