export { carryLinks } from './carry.js';
export { readLinksOfDecision } from './read.js';
export { writeSuggestions } from './suggest.js';
