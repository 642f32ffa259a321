export type {
  ChangedLink,
  DecisionTimes,
  EventEffect,
  FirstEstimates,
  FirstModel,
  LinkReview,
  RecordHooks,
} from './record-hooks.js';
