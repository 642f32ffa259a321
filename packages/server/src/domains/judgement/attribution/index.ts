export { correlateNewEvents } from './correlate.js';
export { forgetEvent } from './forget-event.js';
export { CORRELATION } from './queue.js';
export { rebuildFeatures } from './rebuild.js';
export { replayReviews } from './replay.js';
export { correlationAsker, requestCorrelation, sweepUncorrelated } from './request.js';
export { recordReview, withdrawReview } from './review.js';
export { recordEventVerdict, withdrawEventVerdict } from './review-event.js';
export type { SuggestedLink, SuggestedLinks, WriteSuggestions } from './suggested-link.js';
