export { readEvent } from './read.js';
export { type EventTools, findLatestVersion, recordEvent } from './record.js';
export { removeEvent } from './remove.js';
export { prepareEvent } from './rules/prepare.js';
