export { describeEvent } from './describe.js';
export { readEvent } from './read.js';
export { type EventTools, findLatestVersion, recordEvent, type Version } from './record.js';
export { removeEvent } from './remove.js';
export { prepareEvent } from './rules/prepare.js';
export { whichInRange } from './store/financial-events.js';
export { selectEvidence } from './store/select-evidence.js';
