import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { deleteOfSubject } from './store/delete-of-subject.js';

/** Takes back what was told of something. The numbers of what is left stay as they are. */
export function withdrawAnnouncements(tx: Queryable, scope: Scope, subject: string): Promise<void> {
  return deleteOfSubject(tx, scope, subject);
}
