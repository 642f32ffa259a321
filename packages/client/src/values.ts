/** The table of odd values (docs/values.md), for the ways into a ledger that do not record by this client. */
export { degrade, type Json, type JsonMembers } from './values/degrade.js';
export {
  exactSteps,
  MAX_JSON_TEXT,
  MarkedText,
  objectOf,
  Pairs,
  readExactly,
  readJsonText,
} from './values/json-text.js';
export { markOmitted, omitted } from './values/omitted.js';
export { copyPayload, isAt, objectAt, type PayloadCopy, withMarks } from './values/payload.js';
