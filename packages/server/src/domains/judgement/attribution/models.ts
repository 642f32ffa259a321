import type { Settings } from '@decision-ledger/contract/settings';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Queryable, Transaction } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { readLearningInput } from './learning-input.js';
import { learning, learnSnapshot } from './rules/learn.js';
import { ATTRIBUTION_VERSION, type Snapshot } from './rules/snapshot.js';
import {
  insertModel,
  type ModelRow,
  selectNewestModel,
  selectNewestRefresh,
} from './store/attribution-models.js';
import { lockState, selectState } from './store/attribution-states.js';
import { selectLastObservation } from './store/event-observations.js';
import { selectLastReview } from './store/event-reviews.js';
import { selectOutdated } from './store/event-scores.js';
import { insertWaiting } from './store/events-to-score.js';
import {
  type Model,
  openModel,
  settingsText,
  snapshotDigest,
  snapshotText,
} from './stored-model.js';

const DAY_MS = 86_400_000;
/** Reviews lose weight with time, so a model that rests on some is learned again after this many days. */
const OLD_DAYS = 30;
/** A model is learned again when identified events grew by a fifth, and by this many. */
const GROWTH = 1.2;
const LEAST_GROWTH = 10;
/** Open events are scored again when identified events or reviews grew by a fifth, and by so many. */
const LEAST_IDENTIFIED = 50;
const LEAST_REVIEWS = 5;
/** So many of them, the most valuable, so that the work of a review is bounded. */
const MAX_REFRESHED = 500;

export interface ModelTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordActivity: RecordActivity;
}

interface Due {
  readonly text: string;
  readonly reviews: number;
  readonly observations: number;
  readonly identified: number;
  readonly today: number;
}

/**
 * The current model of a ledger. One is learned, stored and chained first if settings or reviews changed
 * since the last, if many more events identified their cause, or if it is old.
 */
export async function currentModel(
  tools: ModelTools,
  scope: Scope,
  settings: Settings,
): Promise<Model> {
  const newest = await selectNewestModel(tools.db, scope);
  const due = await readDue(tools, scope, settings);
  if (newest !== null && !isDue(newest, due)) return openModel(newest);
  return learn(tools, scope, settings, { newest, due, isRefresh: false });
}

/**
 * The same, for a ledger without a backlog of events: a new model may mark open events to be scored again.
 * During a backlog, each of many models would mark the same events.
 */
export async function refreshingModel(
  tools: ModelTools,
  scope: Scope,
  settings: Settings,
): Promise<Model> {
  const newest = await selectNewestModel(tools.db, scope);
  const due = await readDue(tools, scope, settings);
  const refreshed = await selectNewestRefresh(tools.db, scope);
  const isRefresh = refreshed === null || refreshes(refreshed, due);
  if (newest !== null && !isRefresh && !isDue(newest, due)) return openModel(newest);
  return learn(tools, scope, settings, { newest, due, isRefresh });
}

async function readDue({ db, clock }: ModelTools, scope: Scope, settings: Settings): Promise<Due> {
  return {
    text: settingsText(settings.attribution),
    reviews: await selectLastReview(db, scope),
    observations: await selectLastObservation(db, scope),
    identified: (await selectState(db, scope)).identified,
    today: Math.floor(clock.now() / DAY_MS),
  };
}

interface Plan {
  readonly newest: ModelRow | null;
  readonly due: Due;
  /** Whether open events are scored again with the model. */
  readonly isRefresh: boolean;
}

async function learn(
  tools: ModelTools,
  scope: Scope,
  settings: Settings,
  plan: Plan,
): Promise<Model> {
  const { db } = tools;
  const { due } = plan;
  const input = await readLearningInput(db, scope, due);
  const snapshot = await inTurns(
    learning({ ...input, settings: settings.attribution, today: due.today }),
  );
  await db.transaction((tx) => keepModel(tools, tx, scope, plan, snapshot));
  const kept = await selectNewestModel(db, scope);
  if (kept === null) throw new Error('no model was stored');
  return openModel(kept);
}

function isDue(newest: ModelRow, due: Due): boolean {
  return (
    newest.version !== ATTRIBUTION_VERSION ||
    newest.settings !== due.text ||
    newest.reviews_seq !== due.reviews ||
    hasGrown(newest.identified, due.identified, LEAST_GROWTH) ||
    (due.reviews > 0 && Math.abs(due.today - newest.as_of_day) >= OLD_DAYS)
  );
}

function hasGrown(before: number, now: number, least: number): boolean {
  return now >= before * GROWTH && now >= before + least;
}

/** Stores a model, unless another process stored one since. */
async function keepModel(
  { recordActivity }: ModelTools,
  tx: Transaction,
  scope: Scope,
  { newest, due, isRefresh }: Plan,
  snapshot: Snapshot,
): Promise<void> {
  await lockHead(tx, scope, 'activity');
  await lockState(tx, scope);
  const now = await selectNewestModel(tx, scope);
  if ((now?.model_id ?? 0) !== (newest?.model_id ?? 0)) return;
  const model_id = (now?.model_id ?? 0) + 1;
  const text = snapshotText(snapshot);
  const createdAt = await recordActivity(tx, scope, {
    type: 'attribution.model_changed',
    actor: 'engine',
    subject: uuidToId('led', scope.ledgerId),
    data: {
      model: model_id,
      version: snapshot.version,
      sha256: snapshotDigest(text),
      learned_from: { ...snapshot.learned_from },
    },
  });
  const row = {
    model_id,
    version: snapshot.version,
    snapshot: text,
    settings: due.text,
    as_of_day: due.today,
    reviews_seq: due.reviews,
    observations_seq: due.observations,
    identified: due.identified,
    is_refresh: isRefresh,
  };
  await insertModel(tx, scope, row, createdAt);
  if (!isRefresh) return;
  const outdated = await selectOutdated(tx, scope, model_id, MAX_REFRESHED);
  await insertWaiting(tx, scope, outdated);
}

function refreshes(refreshed: ModelRow, due: Due): boolean {
  return (
    refreshed.version !== ATTRIBUTION_VERSION ||
    refreshed.settings !== due.text ||
    hasGrown(refreshed.reviews_seq, due.reviews, LEAST_REVIEWS) ||
    hasGrown(refreshed.identified, due.identified, LEAST_IDENTIFIED)
  );
}

/** The newest model, for a request, which stores none: before the first, that of the settings alone. */
export async function readModel(db: Queryable, scope: Scope, settings: Settings): Promise<Model> {
  const newest = await selectNewestModel(db, scope);
  if (newest !== null && newest.version === ATTRIBUTION_VERSION) return openModel(newest);
  const none = { choices: [], observations: [], today: 0 };
  return { id: 0, snapshot: learnSnapshot({ ...none, settings: settings.attribution }) };
}
