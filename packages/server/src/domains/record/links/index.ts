export { carryLinks } from './carry.js';
export { describeEvidence, describeLink } from './describe.js';
export { type ListedLink, linkList } from './read.js';
export { reviewLink } from './review.js';
export { selectEvidence, whichInRange } from './store/links.js';
export { writeSuggestions } from './suggest.js';
