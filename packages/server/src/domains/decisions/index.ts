export { appendDecisions } from './append.js';
export { checkDecision } from './check.js';
export { type GroupWriter, groupWriter } from './group-writer.js';
export { findDecision, readDecision } from './read.js';
export { selectEntries, whichInRange } from './store/decisions.js';
export {
  type EvidenceRow,
  selectEvidence,
} from './store/select-evidence.js';
export { verifyDecisions } from './verify.js';
