export { type AppendTools, appendDecisions, checkDecision } from './append.js';
export { erasedFieldsIn, eraseFields } from './erase.js';
export { type GroupWriter, groupWriter } from './group-writer.js';
export { experimentAssignments, runningCosts, searchTerms } from './projections.js';
export { findDecision, isAgent, readDecision, readNeighbours } from './read.js';
export { readDecisionFilter } from './rules/filter.js';
export { metadataTerm } from './rules/metadata.js';
export {
  type EvidenceRange,
  type EvidenceRow,
  selectDecisionEvidence,
  selectDecisionsInRange,
  selectEntries,
  selectOtherHashes,
} from './store/decisions.js';
export { selectErasures, selectLastErasure } from './store/erasures.js';
export { type Choice, choiceOf } from './store/select-page.js';
export { verifyDecisions, verifyRecorded } from './verify.js';
