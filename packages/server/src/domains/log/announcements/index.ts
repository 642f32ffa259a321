export { announce, announceVerification, withdrawAnnouncements } from './announce.js';
export { pruneAnnouncements } from './prune.js';
export type { Announcement } from './store/announcements.js';
