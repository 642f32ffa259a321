export { announce, announceVerification, withdrawAnnouncements, pruneAnnouncements } from './announcements.js';
export type { Announcement } from './store/announcements.js';
