import type { LinkConfirmation } from '@decision-ledger/contract/link';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { readLeadAmount, reconsider, updateMoney } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { isHuman, refuseOpposite, whenOfLink } from './event-links.js';
import { lockLink } from './read.js';
import { confirmedStrength, shareLeft } from './rules/share.js';
import { type Review, reviewedStatus, reviewerData, reviewerOf } from './rules/status.js';
import { type LinkRow, selectLinksOfMovement, updateReview } from './store/links.js';
import { dropDisplaced } from './suggest.js';

/** How a link is reviewed; an audit was drawn independently of the score. */
export interface ReviewOptions extends LinkConfirmation {
  readonly kind?: 'review' | 'audit';
  /** ms: when the answer began that this review is a part of. */
  readonly answeredAt?: number;
}

const TYPE = { confirm: 'link.confirmed', reject: 'link.rejected' } as const;
const VERDICT = { confirm: 'confirmed', reject: 'rejected' } as const;

/**
 * Records a person's review of a suggested link. A confirmed link takes the wanted strength, or all that
 * other links of people leave of the event. Suggestions that no longer fit are deleted, without a
 * rejection.
 * @throws LedgerError `not_found`, `invalid_state`; `conflict` if too little of the event is left, or a
 *   person's link says the opposite; `validation_error` for a reviewer beside that of the session
 */
export async function reviewLink(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  linkId: string,
  review: Review,
  { strength: wanted, kind = 'review', reviewer: declared, answeredAt }: ReviewOptions = {},
): Promise<LinkRow> {
  const reviewer = reviewerOf(session, declared);
  const link = await lockLink(tx, linkId);
  const status = reviewedStatus(link.status, link.deleted_at !== null, review);
  const others = await otherLinks(tx, link);
  const correlation_strength =
    review === 'confirm' ? await strengthOf(tx, link, others, wanted) : null;
  const reviewedAt = await recordActivity(tx, {
    type: TYPE[review],
    actor,
    subject: uuidToId('lnk', link.link_id),
    when: await whenOfLink(tx, link),
    data: {
      decision_id: uuidToId('dec', link.decision_id),
      financial_event_id: uuidToId('evt', link.event_id),
      status,
      ...(correlation_strength !== null && {
        correlation_strength,
        previous_strength: link.correlation_strength,
      }),
      ...reviewerData(reviewer),
    },
  });
  const change = {
    status,
    correlation_strength: correlation_strength ?? link.correlation_strength,
    reviewed_by: actor,
    reviewed_at: reviewedAt,
    deleted_at: review === 'reject' ? reviewedAt : null,
    label: null,
  };
  await updateReview(tx, { link_id: link.link_id, ...change });
  await hooks.linkReviewed(tx, link, {
    verdict: VERDICT[review],
    kind,
    at: reviewedAt,
    answeredBy: actor,
    answeredAt,
  });
  if (review === 'confirm') {
    await dropDisplaced(tx, { actor }, others, change);
    await reconsider(tx, [link.event_id]);
  }
  await updateMoney(tx, hooks, [link.event_id]);
  return { ...link, ...change };
}

/** The other live links of the movement of a link's event. */
async function otherLinks(tx: LedgerWriter, link: LinkRow): Promise<LinkRow[]> {
  const links = await selectLinksOfMovement(tx, link.event_id);
  return links.filter(({ link_id }) => link_id !== link.link_id);
}

async function strengthOf(
  tx: LedgerWriter,
  link: LinkRow,
  others: readonly LinkRow[],
  wanted: number | undefined,
): Promise<number> {
  refuseOpposite(link, others, await readLeadAmount(tx, link.event_id));
  return confirmedStrength(shareLeft(others.filter(isHuman)), wanted);
}
