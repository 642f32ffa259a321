export { updateMoney, isRecountPending, recounts } from './recount.js';
export { countedAmounts } from './projections.js';
export { describeEvent, readEvent, readEvents } from './read.js';
export { findLatestVersion, recordEvent, type Version, removeEvent } from './record.js';
export { prepareEvent } from './rules/event.js';
export { selectEndOfEvents } from './store/counted-amounts.js';
export { isInRange, selectEventEvidence, selectEventsInRange } from './store/financial-events.js';
