import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { LinkBody, Reviewer } from '@decision-ledger/contract/link';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { findDecision } from '../decisions/index.js';
import { readEvent, readLeadAmount, reconsider, updateMoney } from '../financial-events/index.js';
import type { LinkReview, RecordHooks } from '../hooks/index.js';
import { mayReverse } from '../money-signs/index.js';
import { refuseOpposite } from './event-links.js';
import { reviewerData } from './rules/status.js';
import { insertLinks, type LinkRow, selectLinksOfMovement } from './store/links.js';
import { dropDisplaced } from './suggest.js';

/** How a link came about. */
interface LinkReviewOptions {
  readonly kind: LinkReview['kind'];
  readonly reviewer: Reviewer | null;
}

/**
 * Links a decision to a financial event of the same ledger. Suggestions that no longer fit beside it are
 * deleted, without a rejection.
 * @param review what the link teaches (by itself, it says nothing of "no recorded decision"), and who said so
 * @throws LedgerError `not_found` for a record that is not in this ledger, `invalid_state` for a
 *   deleted event, `conflict` if the two already have a link of this type, or the event one of the
 *   opposite direction that people made or confirmed, `validation_error`
 */
export async function createLink(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor, session }: Actor,
  body: LinkBody,
  review: LinkReviewOptions = { kind: 'manual', reviewer: null },
): Promise<LinkRow> {
  const { link_type, reversal = false } = body;
  if (reversal && !mayReverse(link_type)) {
    throw invalidField('reversal', 'only a cost, refund or loss can be one: leave it out');
  }
  await lockHead(tx, 'activity');
  const decision = await findDecision(tx, body.decision_id);
  const { decision_id } = decision;
  const { event_id, deleted_at, timestamp } = await readEvent(tx, body.financial_event_id);
  if (deleted_at !== null) {
    throw new LedgerError('invalid_state', 'the financial event is deleted: it cannot be linked');
  }
  const others = await selectLinksOfMovement(tx, event_id);
  const existing = others.find(
    (link) => link.decision_id === decision_id && link.link_type === link_type,
  );
  if (existing !== undefined) throw conflict(existing);
  refuseOpposite({ link_type, reversal }, others, await readLeadAmount(tx, event_id));
  const linkId = tx.ids.uuid();
  const createdAt = await recordActivity(tx, {
    type: 'link.created',
    actor,
    subject: uuidToId('lnk', linkId),
    when: { event: formatTimestamp(timestamp), decision: formatTimestamp(decision.timestamp) },
    data: { ...body, reversal, status: 'CONFIRMED', ...reviewerData(review.reviewer) },
  });
  const link: LinkRow = {
    link_id: linkId,
    decision_id,
    event_id,
    correlation_strength: body.correlation_strength,
    link_type,
    reversal,
    attribution_method: body.attribution_method,
    status: 'CONFIRMED',
    notes: body.notes ?? null,
    score: null,
    created_by: actor,
    created_at: createdAt,
    reviewed_by: null,
    reviewed_at: null,
    deleted_at: null,
    review_priority: null,
    label: null,
    inherited_from: null,
  };
  await insertLinks(tx, [link]);
  // A link that a system makes is no answer of a person.
  const answeredBy = review.kind === 'manual' && session === undefined ? null : actor;
  await hooks.linkReviewed(tx, link, {
    ...{ verdict: 'confirmed', kind: review.kind, at: createdAt, answeredBy },
  });
  await dropDisplaced(tx, { actor }, others, link);
  await updateMoney(tx, hooks, [event_id]);
  await reconsider(tx, [event_id]);
  return link;
}

function conflict({ link_id, link_type, status }: LinkRow): LedgerError {
  const remedy =
    status === 'ML_SUGGESTED' || status === 'INHERITED'
      ? 'confirm or reject it first'
      : 'delete it first to replace it';
  return new LedgerError(
    'conflict',
    `the two already have a ${link_type} link, ${uuidToId('lnk', link_id)} (${status}): ${remedy}`,
  );
}
