import { givenLabel } from '@decision-ledger/attribution/labels';
import type { ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { evidenceOf } from './recompute.js';
import { selectModel, selectState } from './store/models.js';
import {
  type QueueFilter,
  type QueueRow,
  type QueueSummary,
  selectQueue,
  selectQueueSummary,
} from './store/review-queue.js';
import { selectConsideredLinks } from './store/reviews.js';
import { knownFeatures, openCandidates, type StoredCandidate } from './stored-choice.js';
import { openModel } from './stored-model.js';

/** A candidate of an event to review. */
export interface QueuedCandidate extends StoredCandidate {
  /** UUID of the suggested link. */
  readonly linkId: string | null;
  readonly evidence: Readonly<Record<string, number>>;
}

/** An event to review. */
export interface QueuedEvent {
  /** UUID. */
  readonly eventId: string;
  readonly isAudit: boolean;
  readonly noneShare: number;
  readonly priority: number;
  /** The greatest share first; of an audit by time. */
  readonly candidates: readonly QueuedCandidate[];
  /** `at` is infinite for an audit. */
  readonly place: Place;
}

/** The events to review: audits first, then those whose review would teach most. */
export async function listReviewQueue(
  ledger: LedgerReader,
  filter: QueueFilter,
  slice: Slice<Place>,
): Promise<PageRows<QueuedEvent>> {
  const page = await selectQueue(ledger, filter, slice);
  const ids = page.rows.map(({ event_id }) => event_id);
  const links = await selectConsideredLinks(ledger, ids);
  const suggested = new Map(
    links
      .filter(({ status }) => status === 'ML_SUGGESTED')
      .map(({ event_id, decision_id, link_id }) => [`${event_id} ${decision_id}`, link_id]),
  );
  const snapshots = new Map<number, ModelSnapshot | null>();
  for (const { model_id } of page.rows) {
    if (snapshots.has(model_id)) continue;
    const row = await selectModel(ledger, model_id);
    snapshots.set(model_id, row === null ? null : openModel(row).snapshot);
  }
  const { label_withdrawn } = await selectState(ledger);
  return mapPage(page, (row) =>
    toQueued(row, suggested, { snapshot: snapshots.get(row.model_id) ?? null, label_withdrawn }),
  );
}

interface Shown {
  readonly snapshot: ModelSnapshot | null;
  readonly label_withdrawn: boolean;
}

function toQueued(
  { event_id, candidates, none_share, queuePlace }: QueueRow,
  suggested: ReadonlyMap<string, string>,
  { snapshot, label_withdrawn }: Shown,
): QueuedEvent {
  const isAudit = queuePlace === Number.POSITIVE_INFINITY;
  const all = openCandidates(candidates).map((candidate) => ({
    ...candidate,
    ...(candidate.label !== undefined && { label: givenLabel(candidate.label, label_withdrawn) }),
    linkId: suggested.get(`${event_id} ${candidate.decision_id}`) ?? null,
    evidence: snapshot === null ? {} : evidenceOf(knownFeatures(candidate), snapshot),
  }));
  const byTime = (a: QueuedCandidate, b: QueuedCandidate) =>
    (a.timestamp ?? 0) - (b.timestamp ?? 0) || (a.decision_id < b.decision_id ? -1 : 1);
  return {
    eventId: event_id,
    isAudit,
    noneShare: none_share,
    priority: queuePlace,
    candidates: isAudit ? all.sort(byTime) : all,
    place: { at: queuePlace, id: event_id },
  };
}

/** How many events wait for a review, and the sum of their amounts in the base currency. */
export function summariseReviewQueue(ledger: LedgerReader): Promise<QueueSummary> {
  return selectQueueSummary(ledger);
}
