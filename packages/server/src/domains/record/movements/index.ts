export { movementFollower, settleAround } from './follow.js';
export { previewMovements } from './preview-settings.js';
