export { type AppendTools, appendDecisions, checkDecision } from './append.js';
export { eraseFields } from './erase.js';
export { type GroupWriter, groupWriter } from './group-writer.js';
export { findDecision, isAgent, readDecision, readNeighbours } from './read.js';
export { filterTexts, metadataTerm } from './rules/terms.js';
export {
  type EvidenceRow,
  selectEntries,
  selectEvidence,
  whichInRange,
} from './store/decisions.js';
export { verifyDecisions } from './verify.js';
