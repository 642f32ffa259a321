export { carryLinks } from './carry.js';
export { createLink } from './create.js';
export { describeEvidence, describeLink } from './describe.js';
export { openShare } from './open-share.js';
export { previewEffect } from './preview-review.js';
export { type ListedLink, linkList, listLinks } from './read.js';
export { reviewLink } from './review.js';
export { reviewerData, reviewerOf } from './rules/reviewer.js';
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
