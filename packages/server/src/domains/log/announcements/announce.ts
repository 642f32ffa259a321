import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Announcement } from './rules/announcement.js';
import { advanceHead, insertAnnouncements } from './store/announcements.js';

/**
 * Leaves announcements in the log of a ledger. They get their numbers under its head's lock, which
 * holds until the transaction ends: whoever has read up to a number has read all below it.
 * @param at ms
 */
export async function announce(
  tx: Queryable,
  scope: Scope,
  announcements: readonly Announcement[],
  at: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const last = await advanceHead(tx, scope, announcements.length);
  await insertAnnouncements(tx, scope, last - announcements.length + 1, announcements, at);
}
