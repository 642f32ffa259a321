import type { Clock } from '../../../platform/clock.js';
import type { IdFactory } from '../../../platform/ids.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import {
  awaitOtherTypes,
  forgetEvent,
  insertWaiting,
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
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly models: LiabilityModels;
}

/** What suggestions and estimates do when the record changes. */
export function recordHooks({ clock, ids, models }: RecordHookTools): RecordHooks {
  return {
    estimates: firstEstimates(models),
    eventRecorded: (tx, scope, eventId) => insertWaiting(tx, scope, [eventId]),
    async eventRetired(tx, scope, eventId) {
      await forgetEvent(tx, scope, eventId);
      await recalculate({ clock }, tx, scope, [eventId]);
    },
    moneyChanged: (tx, scope, eventIds) => recalculate({ clock }, tx, scope, eventIds),
    signsApplied: awaitOtherTypes,
    linkReviewed: (tx, scope, link, review) => recordReview(ids, tx, scope, link, review),
    reviewWithdrawn: (tx, scope, link, at) => withdrawReview(ids, tx, scope, link, at),
    linkRemoved: (tx, scope, { event_id }) => updateOpen(tx, scope, event_id),
    // The decision is estimated from the facts that are left, before its features are extracted from them.
    fieldsErased: (tx, scope, seq, erase) =>
      rebuildFeatures(tx, scope, seq, () => forgetFacts({ clock }, tx, scope, seq, erase)),
    readEffect: readEventEffect,
  };
}
