export { checkMasterKey, followMasterKey } from './check.js';
export { resetMasterKey } from './reset.js';
export { type Rotation, rotateMasterKey } from './rotate.js';
