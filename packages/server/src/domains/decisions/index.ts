export { appendDecisions } from './append.js';
export { checkDecision } from './check.js';
export { type GroupWriter, groupWriter } from './group-writer.js';
export { findDecision, readDecision } from './read.js';
export { selectEntries } from './store/select-entries.js';
export {
  type EvidencePosition,
  type EvidenceRange,
  type EvidenceRow,
  selectEvidence,
} from './store/select-evidence.js';
export { whichInRange } from './store/which-in-range.js';
export { verifyDecisions } from './verify.js';
