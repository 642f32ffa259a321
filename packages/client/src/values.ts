export { type Degraded, degrade, type Json, type JsonMembers } from './values/degrade.js';
export { readJsonText } from './values/json-text.js';
export type { Marks } from './values/marks.js';
