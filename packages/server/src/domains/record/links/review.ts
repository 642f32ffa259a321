import type { Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Actor } from '../../../platform/principal.js';
import { recordReview } from '../../judgement/attribution/index.js';
import { recalculate } from '../../judgement/liability/index.js';
import type { LinkTools } from './create.js';
import { lockLink } from './read.js';
import { type Review, reviewed } from './rules/transition.js';
import { type LinkRow, updateReview } from './store/links.js';

const TYPE = { confirm: 'link.confirmed', reject: 'link.rejected' } as const;
const VERDICT = { confirm: 'confirmed', reject: 'rejected' } as const;

/**
 * Records a person's review of a suggested link.
 * @throws LedgerError `not_found`, `invalid_state`
 */
export async function reviewLink(
  tools: LinkTools,
  tx: Transaction,
  { scope, actor }: Actor,
  linkId: string,
  review: Review,
): Promise<LinkRow> {
  const link = await lockLink(tx, scope, linkId);
  const status = reviewed(link.status, link.deleted_at !== null, review);
  const reviewedAt = await tools.recordActivity(tx, scope, {
    type: TYPE[review],
    actor,
    subject: uuidToId('lnk', link.link_id),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status,
    },
  });
  const deleted_at = review === 'reject' ? reviewedAt : null;
  const change = { status, reviewed_by: actor, reviewed_at: reviewedAt, deleted_at };
  await updateReview(tx, scope, { link_id: link.link_id, ...change });
  await recordReview(tools.ids, tx, scope, link, VERDICT[review], reviewedAt);
  await recalculate(tools, tx, scope, [link.event_id]);
  return { ...link, ...change };
}
