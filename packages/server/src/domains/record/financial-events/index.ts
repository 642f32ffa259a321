export { countedAmounts } from './projections.js';
export { describeEvent, readEvent, readEvents } from './read.js';
export { findLatestVersion, recordEvent, removeEvent, type Version } from './record.js';
export { isRecountPending, recounts, updateMoney } from './recount.js';
export { prepareEvent } from './rules/event.js';
export { selectEndOfEvents } from './store/counted-amounts.js';
export { isInRange, selectEventEvidence, selectEventsInRange } from './store/financial-events.js';
