import type { RecordHooks } from '../../record/hooks/index.js';
import {
  awaitOtherTypes,
  forgetEvent,
  insertRecorded,
  isReviewed,
  rebuildFeatures,
  recordReview,
  updateOpen,
  withdrawReview,
} from '../attribution/index.js';
import {
  firstEstimates,
  forgetFacts,
  type LiabilityModels,
  readEventEffect,
  recalculate,
} from '../liability/index.js';

export interface RecordHookTools {
  readonly models: LiabilityModels;
}

/** What suggestions and estimates do when the record changes. */
export function recordHooks({ models }: RecordHookTools): RecordHooks {
  return {
    estimates: firstEstimates(models),
    eventRecorded: insertRecorded,
    async eventRetired(tx, eventId) {
      await forgetEvent(tx, eventId);
      await recalculate(tx, [eventId]);
    },
    moneyChanged: (tx, eventIds) => recalculate(tx, eventIds),
    signsApplied: awaitOtherTypes,
    linkReviewed: recordReview,
    isReviewed,
    reviewWithdrawn: withdrawReview,
    linkRemoved: (tx, { event_id }) => updateOpen(tx, event_id),
    // The decision is estimated from the facts that are left, before its features are extracted from them.
    fieldsErased: (tx, seq, erase) => rebuildFeatures(tx, seq, () => forgetFacts(tx, seq, erase)),
    readEffect: readEventEffect,
  };
}
