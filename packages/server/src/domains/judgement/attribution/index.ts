export { isAudit } from './choice-set.js';
export { listAttributionDrifts } from './drifts.js';
export { featureFollower } from './extract.js';
export { decisionFeatures, decisionTokens } from './feature-projections.js';
export { forgetEvent } from './forget-event.js';
export { tokenFrequencies } from './frequency-projection.js';
export { identifierToken } from './identifier-token.js';
export { agentPatterns, linkReviews } from './projections.js';
export { readAttributionModel } from './read-model.js';
export { readQuality } from './read-quality.js';
export { rebuildFeatures } from './rebuild.js';
export { awaitOtherTypes } from './reclassify.js';
export { replayModels } from './replay-models.js';
export { isReviewed, recordReview, withdrawReview } from './review.js';
export { recordEventVerdict, withdrawEventVerdict } from './review-event.js';
export {
  listReviewQueue,
  type QueuedCandidate,
  type QueuedEvent,
  summariseReviewQueue,
} from './review-queue.js';
export { attributionState } from './state-projection.js';
export {
  type AnswerRange,
  type AnswerRow,
  type Person,
  selectAnsweredEvents,
  selectAnswers,
} from './store/answers.js';
export { updateOpen } from './store/event-scores.js';
export { insertRecorded } from './store/events-to-score.js';
export { suggestionFollower } from './suggest.js';
export { suggestNow } from './suggest-now.js';
export { suggestionQuality } from './suggestion-quality.js';
