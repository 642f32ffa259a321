export { movementFollower, settleAround } from './follow.js';
export { previewMoney } from './preview-settings.js';
