export { carryLinks } from './carry.js';
export { describeLink } from './describe.js';
export { type ListedLink, linkList } from './read.js';
export { reviewLink } from './review.js';
export { whichInRange } from './store/links.js';
export { selectEvidence } from './store/select-evidence.js';
export { writeSuggestions } from './suggest.js';
