export { correlateNewEvents } from './correlate.js';
export { CORRELATION } from './queue.js';
export { rebuildFeatures } from './rebuild.js';
export { awaitOtherTypes } from './reclassify.js';
export { replayReviews } from './replay.js';
export { correlationAsker, requestCorrelation, sweepUncorrelated } from './request.js';
export { recordReview, withdrawReview } from './review.js';
export type { SuggestedLink, SuggestedLinks, WriteSuggestions } from './suggested-link.js';
