export { pruneSpanGroups } from './merge-span-groups.js';
