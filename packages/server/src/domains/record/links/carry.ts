import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Actor } from '../../../platform/principal.js';
import { recordReview } from '../../judgement/attribution/index.js';
import { recalculate } from '../../judgement/liability/index.js';
import type { LinkTools } from './create.js';
import { removeLink } from './remove.js';
import { insertLink, selectLinksOfEvent } from './store/links.js';

/**
 * Moves the links that people created or confirmed from a superseded event to its successor, so that a
 * correction at the source does not undo their work. Suggestions are dropped; the engine makes new ones.
 * @param from UUID of the superseded event
 * @param to UUID of the event that superseded it
 */
export async function carryLinks(
  tools: LinkTools,
  tx: Transaction,
  { scope, actor }: Actor,
  from: string,
  to: string,
): Promise<void> {
  for (const link of await selectLinksOfEvent(tx, scope, from)) {
    const previousId = uuidToId('lnk', link.link_id);
    await removeLink(tools, tx, { scope, actor }, previousId);
    if (link.status === 'ML_SUGGESTED') continue;
    const link_id = tools.ids.uuid();
    const created_at = await tools.recordActivity(tx, scope, {
      type: 'link.created',
      actor,
      subject: uuidToId('lnk', link_id),
      data: {
        decision_id: uuidToId('dec', link.decision_id),
        financial_event_id: uuidToId('evt', to),
        correlation_strength: link.correlation_strength,
        link_type: link.link_type,
        reversal: link.reversal,
        attribution_method: link.attribution_method,
        status: link.status,
        supersedes: previousId,
      },
    });
    const carried = { ...link, link_id, event_id: to, created_at };
    await insertLink(tx, scope, carried);
    await recordReview(tools.ids, tx, scope, carried, 'confirmed', created_at);
  }
  await recalculate(tools, tx, scope, [from, to]);
}
