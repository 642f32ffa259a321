export { movementFollower, settleAround } from './follow.js';
