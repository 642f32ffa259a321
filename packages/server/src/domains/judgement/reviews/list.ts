import { minorUnits } from '@decision-ledger/contract/currency';
import type { Review, ReviewPage, ReviewQuery } from '@decision-ledger/contract/review';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import { describeEvent, readEvents } from '../../record/financial-events/index.js';
import {
  listReviewQueue,
  type QueuedCandidate,
  type QueuedEvent,
  summariseReviewQueue,
} from '../attribution/index.js';

export interface ListedReview {
  readonly review: Review;
  readonly place: Place;
}

/** The events to review: audits first, then those whose review would teach most. */
export async function listReviews(
  ledger: LedgerReader,
  query: ReviewQuery,
  slice: Slice<Place>,
): Promise<PageRows<ListedReview>> {
  const filter = {
    kind: query.kind,
    currency: query.currency,
    source: query.source,
    minAmount: query.min_amount,
    hasSuggestion: query.has_suggestion,
  };
  const page = await listReviewQueue(ledger, filter, slice);
  const events = await readEvents(
    ledger,
    page.rows.map(({ eventId }) => eventId),
  );
  return mapPage(page, (queued) => {
    const event = events.get(queued.eventId);
    if (event === undefined) throw new Error('a queued event does not exist');
    return {
      review: { financial_event: describeEvent(event), ...describeQueued(queued) },
      place: queued.place,
    };
  });
}

/** An audit shows neither scores nor ranks. */
function describeQueued({
  isAudit,
  noneShare,
  priority,
  candidates,
}: QueuedEvent): Omit<Review, 'financial_event'> {
  if (isAudit) {
    return { kind: 'audit', priority: null, candidates: candidates.map(describeBlindly) };
  }
  return {
    kind: 'queue',
    none_share: noneShare,
    priority,
    candidates: candidates.map((candidate) => ({
      ...describeBlindly(candidate),
      ...(candidate.share !== undefined && { share: candidate.share }),
      ...(candidate.label !== undefined && { label: candidate.label }),
      ...(candidate.linkId !== null && { link_id: uuidToId('lnk', candidate.linkId) }),
      evidence: { ...candidate.evidence },
    })),
  };
}

function describeBlindly({ decision_id, agent_id, action_type, timestamp }: QueuedCandidate) {
  return {
    decision_id: uuidToId('dec', decision_id),
    agent_id,
    action_type,
    timestamp: formatTimestamp(timestamp ?? 0),
  };
}

/** What waits for a review, whatever the filter. */
export async function summariseReviews(ledger: LedgerReader): Promise<ReviewPage['open']> {
  const { base_currency: currency } = await readSettings(ledger);
  const summary = await summariseReviewQueue(ledger);
  const amount = new Big(summary.amount).toFixed(minorUnits(currency), Big.roundHalfEven);
  return { ...summary, amount, currency };
}
