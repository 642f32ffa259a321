export { carryLinks } from './carry.js';
export { writeSuggestions } from './suggest.js';
