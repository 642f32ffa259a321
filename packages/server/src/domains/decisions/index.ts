export { appendDecisions } from './append.js';
export { checkDecision } from './check.js';
export { type GroupWriter, groupWriter } from './group-writer.js';
export { findDecision, readDecision } from './read.js';
export { verifyDecisions } from './verify.js';
