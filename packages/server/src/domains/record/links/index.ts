export { createLink } from './create.js';
export { isHuman, isInherited, openShare } from './event-links.js';
export { type Inheritance, type InheritedLink, writeInherited } from './inherit.js';
export { previewEffect, tryOut } from './preview.js';
export { describeEvidence, describeLink, type ListedLink, linkList, listLinks } from './read.js';
export { carryLinks } from './remove.js';
export { reviewLink } from './review.js';
export { reviewerData, reviewerOf } from './rules/status.js';
export {
  isLinkedToChosen,
  type LinkRow as ReadLink,
  selectLinkEvidence,
  selectLinkedToChosen,
  selectLinksInRange,
  selectLinksOfEvents as readLinksOfEvents,
  selectLinksOfMovement as readLinksOfMovement,
} from './store/links.js';
export {
  dropSuggestions,
  type SuggestedLink,
  type SuggestedLinks,
  writeSuggestions,
} from './suggest.js';
