export { watchLedgers } from './watch.js';
