export { listAttributionDrifts } from './check-quality.js';
export { isAudit } from './choice-set.js';
export { explainCause } from './explain.js';
export { featureFollower, identifierToken } from './extract.js';
export { decisionFeatures, decisionTokens } from './feature-projections.js';
export { tokenFrequencies } from './frequency-projection.js';
export { readAttributionModel, replayModels } from './models.js';
export { agentPatterns, attributionState, linkReviews } from './projections.js';
export { outcomeFollower } from './read-outcomes.js';
export { readQuality } from './read-quality.js';
export { followMovements, forgetEvent, rebuildFeatures } from './rebuild.js';
export {
  awaitOtherTypes,
  isReviewed,
  recordEventVerdict,
  recordReview,
  withdrawEventVerdict,
  withdrawReview,
} from './review.js';
export {
  listReviewQueue,
  type QueuedCandidate,
  type QueuedEvent,
  summariseReviewQueue,
} from './review-queue.js';
export {
  type AnswerRange,
  type AnswerRow,
  type Person,
  selectAnsweredEvents,
  selectAnswers,
} from './store/answers.js';
export { chancesTable, selectAnsweredTypes } from './store/chances.js';
export { updateOpen } from './store/event-scores.js';
export { insertRecorded } from './store/events-to-score.js';
export { selectConsideredLinks, selectMovementVerdicts } from './store/reviews.js';
export { suggestionFollower, suggestionQuality, suggestNow } from './suggest.js';
