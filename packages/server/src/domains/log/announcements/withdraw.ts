import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { deleteOfSubject, lockHead } from './store/announcements.js';

/**
 * Deletes the announcements about a subject; the others keep their numbers. The head is locked first,
 * so that pruning cannot delete the same rows in another order.
 */
export async function withdrawAnnouncements(
  tx: Queryable,
  scope: Scope,
  subject: string,
): Promise<void> {
  await lockHead(tx, scope);
  await deleteOfSubject(tx, scope, subject);
}
