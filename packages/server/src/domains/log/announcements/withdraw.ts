import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { deleteOfSubject, lockHead } from './store/announcements.js';

/**
 * Takes back what was told of something. The numbers of what is left stay as they are. The head is
 * locked first, so that nobody deletes some of the same in another order.
 */
export async function withdrawAnnouncements(
  tx: Queryable,
  scope: Scope,
  subject: string,
): Promise<void> {
  await lockHead(tx, scope);
  await deleteOfSubject(tx, scope, subject);
}
