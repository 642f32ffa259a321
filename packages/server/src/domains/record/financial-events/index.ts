export { updateMoney } from './count-events.js';
export { countedAmounts } from './projections.js';
export { describeEvent, readEvent, readEvents } from './read.js';
export { findLatestVersion, recordEvent, type Version } from './record.js';
export { isRecountPending, recounts } from './recount.js';
export { removeEvent } from './remove.js';
export { prepareEvent } from './rules/prepare.js';
export { selectEndOfEvents } from './store/event-ids.js';
export { isInRange, selectEventEvidence, selectEventsInRange } from './store/financial-events.js';
