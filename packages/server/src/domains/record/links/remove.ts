import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { updateMoney } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { lockLink } from './read.js';
import { type LinkRow, updateDeletedLinks } from './store/links.js';
import { whenOfLink } from './when.js';

/**
 * Soft-deletes a link of any status, and withdraws its review from training. Deleting a rejected link
 * withdraws the rejection; deleting any other link again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function removeLink(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  linkId: string,
): Promise<LinkRow> {
  const link = await lockLink(tx, linkId);
  await lockHead(tx, 'activity');
  const isReviewed = await hooks.isReviewed(tx, link);
  if (link.deleted_at !== null && !isReviewed) return link;
  const deletedAt = await recordActivity(tx, {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    when: await whenOfLink(tx, link),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status: link.status,
    },
  });
  if (isReviewed) await hooks.reviewWithdrawn(tx, link, deletedAt);
  if (link.deleted_at !== null) return link;
  await updateDeletedLinks(tx, [link.link_id], deletedAt);
  await hooks.linkRemoved(tx, link);
  await updateMoney(tx, hooks, [link.event_id]);
  return { ...link, deleted_at: deletedAt };
}
