import type { LedgerWriter } from '../../../platform/ledger.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import {
  awaitOtherTypes,
  followMovements,
  forgetEvent,
  insertRecorded,
  isReviewed,
  rebuildFeatures,
  recordReview,
  updateOpen,
  withdrawReview,
} from '../attribution/index.js';
import { inheritCauses } from '../inheritance/index.js';
import {
  firstEstimates,
  forgetFacts,
  type LiabilityModels,
  readEventEffect,
  recalculate,
} from '../liability/index.js';

export interface RecordHookTools {
  readonly models: LiabilityModels;
  /** Makes the movements around events (UUIDs) what rules and people say. */
  settle(tx: LedgerWriter, hooks: RecordHooks, eventIds: readonly string[]): Promise<void>;
}

/** What suggestions and estimates do when the record changes. */
export function recordHooks({ models, settle }: RecordHookTools): RecordHooks {
  const hooks: RecordHooks = {
    estimates: firstEstimates(models),
    eventRecorded: insertRecorded,
    async eventRetired(tx, eventId) {
      await forgetEvent(tx, eventId);
      await recalculate(tx, [eventId]);
    },
    moneyChanged: (tx, eventIds) => recalculate(tx, eventIds),
    causesChanged: (tx, eventIds) => inheritCauses(tx, hooks, eventIds),
    movementsChanged: followMovements,
    signsApplied: awaitOtherTypes,
    linkReviewed: recordReview,
    isReviewed,
    reviewWithdrawn: withdrawReview,
    linkRemoved: (tx, { event_id }) => updateOpen(tx, [event_id]),
    causesInherited: updateOpen,
    // The decision is estimated from the facts that are left, before its features are extracted from them.
    fieldsErased: (tx, seq, erase) => rebuildFeatures(tx, seq, () => forgetFacts(tx, seq, erase)),
    linksChanged: (tx, eventId) => settle(tx, hooks, [eventId]),
    readEffect: readEventEffect,
  };
  return hooks;
}
