export { type Rotation, resetMasterKey, rotateMasterKey } from './change.js';
export { checkMasterKey, followMasterKey } from './check.js';
