export { updateMoney } from './count-events.js';
export { findSignFaults } from './find-sign-faults.js';
export { describeEvent, readEvent, readEvents } from './read.js';
export { findLatestVersion, recordEvent, type Version } from './record.js';
export { removeEvent } from './remove.js';
export { prepareEvent } from './rules/prepare.js';
export { isInRange, selectEvidence, whichInRange } from './store/financial-events.js';
