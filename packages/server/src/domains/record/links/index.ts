export { createLink } from './create.js';
export { openShare } from './event-links.js';
export { previewEffect } from './preview.js';
export { describeEvidence, describeLink, type ListedLink, linkList, listLinks } from './read.js';
export { carryLinks } from './remove.js';
export { reviewLink } from './review.js';
export { reviewerData, reviewerOf } from './rules/status.js';
export {
  isLinkedToChosen,
  selectLinkEvidence,
  selectLinksInRange,
  selectLinksOfEvent as readLinksOfEvent,
} from './store/links.js';
export {
  type SuggestedLink,
  type SuggestedLinks,
  writeSuggestions,
} from './suggest.js';
