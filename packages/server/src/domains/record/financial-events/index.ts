export { movementLeads, type Regrouping, regroup } from './movements.js';
export { previewCounts } from './preview.js';
export { countedAmounts } from './projections.js';
export {
  describeEvent,
  describeReports,
  readEvent,
  readEvents,
  readLeadAmount,
  readMovements,
} from './read.js';
export { findLatestVersion, recordEvent, removeEvent, type Version } from './record.js';
export { isRecountPending, recounts, updateMoney } from './recount.js';
export { ReversalReader } from './reversals.js';
export { readReversed } from './reversed.js';
export { prepareEvent, readEventSearch } from './rules/event.js';
export { selectEndOfEvents, selectSigned } from './store/counted-amounts.js';
export {
  isInRangeOrAmong,
  searched,
  selectEventEvidence,
  selectEventsInRange,
} from './store/financial-events.js';
export {
  type ChangedEvent,
  deleteFormerCounts,
  type FormerCounts,
  selectChangedEvents,
  selectFormerCounts,
} from './store/former-counts.js';
export { MOVEMENTS, reconsider, selectReports } from './store/movements.js';
