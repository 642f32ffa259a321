export { carryLinks } from './carry.js';
