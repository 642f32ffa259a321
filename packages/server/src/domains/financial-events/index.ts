export { describeEvent } from './describe.js';
export { readEvent } from './read.js';
export { type EventTools, findLatestVersion, recordEvent, type Version } from './record.js';
export { removeEvent } from './remove.js';
export { prepareEvent } from './rules/prepare.js';
export { selectEvidence } from './store/select-evidence.js';
export { whichInRange } from './store/which-in-range.js';
