import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Actor } from '../../../platform/principal.js';
import { updateMoney } from '../financial-events/index.js';
import { lockLink } from './read.js';
import { type LinkRow, updateDeleted } from './store/links.js';
import type { LinkTools } from './tools.js';
import { whenOfLink } from './when.js';

/**
 * Soft-deletes a link of any status, and withdraws its review from training. Deleting a rejected link
 * withdraws the rejection; deleting any other link again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function removeLink(
  tools: LinkTools,
  tx: Transaction,
  { scope, actor }: Actor,
  linkId: string,
): Promise<LinkRow> {
  const link = await lockLink(tx, scope, linkId);
  const { hooks, recordActivity } = tools;
  const { now } = await lockHead(tx, scope, 'activity');
  const isWithdrawn = await hooks.reviewWithdrawn(tx, scope, link, now);
  if (link.deleted_at !== null && !isWithdrawn) return link;
  const deletedAt = await recordActivity(tx, scope, {
    type: 'link.deleted',
    actor,
    subject: uuidToId('lnk', link.link_id),
    when: await whenOfLink(tx, scope, link),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status: link.status,
    },
  });
  if (link.deleted_at !== null) return link;
  await updateDeleted(tx, scope, [link.link_id], deletedAt);
  await hooks.linkRemoved(tx, scope, link);
  await updateMoney(tools, tx, scope, [link.event_id]);
  return { ...link, deleted_at: deletedAt };
}
