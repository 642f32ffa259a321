export { announce } from './announce.js';
export { pruneAnnouncements } from './prune.js';
export type { Announcement } from './rules/announcement.js';
export { announceVerification } from './verified.js';
export { withdrawAnnouncements } from './withdraw.js';
