import type { Transaction } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Actor } from '../../platform/principal.js';
import type { LinkTools } from './create.js';
import { lockLink } from './read.js';
import type { LinkRow } from './store/link-row.js';
import { updateDeleted } from './store/update-deleted.js';

/**
 * Deletes a link softly, whatever its status. Deleting it again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function removeLink(
  { recordActivity }: LinkTools,
  tx: Transaction,
  { scope, actor }: Actor,
  linkId: string,
): Promise<LinkRow> {
  const link = await lockLink(tx, scope, linkId);
  if (link.deleted_at !== null) return link;
  const deletedAt = await recordActivity(tx, scope, {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status: link.status,
    },
  });
  await updateDeleted(tx, scope, link.link_id, deletedAt);
  return { ...link, deleted_at: deletedAt };
}
