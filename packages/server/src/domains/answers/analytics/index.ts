export { requestDueClosings } from './close-months.js';
export { CLOSING } from './queue.js';
