export {
  announce,
  announceVerification,
  pruneAnnouncements,
  withdrawAnnouncements,
} from './announcements.js';
export type { Announcement } from './store/announcements.js';
