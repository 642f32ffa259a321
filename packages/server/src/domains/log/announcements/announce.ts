import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Announcement } from './rules/announcement.js';
import { advanceHead, insertAnnouncements } from './store/announcements.js';

/**
 * Appends announcements to the log of a ledger. Numbers are assigned under the lock on its head, which
 * lasts until the transaction ends. A reader who has read a number has therefore read all lower ones.
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
