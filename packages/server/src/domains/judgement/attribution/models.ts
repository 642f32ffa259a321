import { learnModel, learnSnapshot } from '@decision-ledger/attribution/learning';
import { ATTRIBUTION_VERSION, type ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import type { AttributionModel } from '@decision-ledger/contract/analytics-quality';
import { notFound } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { readLearningInput } from './learning-input.js';
import { selectLastObservation, selectOutdated } from './store/event-scores.js';
import { insertWaiting } from './store/events-to-score.js';
import {
  insertModel,
  lockAttributionState,
  type ModelRow,
  selectModel,
  selectNewestModel,
  selectNewestModels,
  selectNewestRefresh,
  selectState,
} from './store/models.js';
import { selectLastReview } from './store/reviews.js';
import {
  openModel,
  openSettingsText,
  type ScoringModel,
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
export async function currentScoringModel(
  ledger: Ledger,
  settings: Settings,
): Promise<ScoringModel> {
  const newest = await selectNewestModel(ledger);
  const due = await readDue(ledger, settings);
  if (newest !== null && !isDue(newest, due)) return openModel(newest);
  return learn(ledger, settings, { newest, due, isRefresh: false });
}

/**
 * The same, for a ledger without a backlog of events: a new model may mark open events to be scored again.
 * During a backlog, each of many models would mark the same events.
 */
export async function refreshingModel(ledger: Ledger, settings: Settings): Promise<ScoringModel> {
  const newest = await selectNewestModel(ledger);
  const due = await readDue(ledger, settings);
  const refreshed = await selectNewestRefresh(ledger);
  const isRefresh = refreshed === null || refreshes(refreshed, due);
  if (newest !== null && !isRefresh && !isDue(newest, due)) return openModel(newest);
  return learn(ledger, settings, { newest, due, isRefresh });
}

async function readDue(ledger: Ledger, settings: Settings): Promise<Due> {
  return {
    text: settingsText(settings.attribution),
    reviews: await selectLastReview(ledger),
    observations: await selectLastObservation(ledger),
    identified: (await selectState(ledger)).identified,
    today: Math.floor(ledger.clock.now() / DAY_MS),
  };
}

interface Plan {
  readonly newest: ModelRow | null;
  readonly due: Due;
  /** Whether open events are scored again with the model. */
  readonly isRefresh: boolean;
}

async function learn(ledger: Ledger, settings: Settings, plan: Plan): Promise<ScoringModel> {
  const { due } = plan;
  const input = await readLearningInput(ledger, due);
  const snapshot = await inTurns(
    learnModel({ ...input, settings: settings.attribution, today: due.today }),
  );
  await ledger.write((tx) => keepModel(tx, plan, snapshot));
  const kept = await selectNewestModel(ledger);
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
  tx: LedgerWriter,
  { newest, due, isRefresh }: Plan,
  snapshot: ModelSnapshot,
): Promise<void> {
  await lockHead(tx, 'activity');
  await lockAttributionState(tx);
  const now = await selectNewestModel(tx);
  if ((now?.model_id ?? 0) !== (newest?.model_id ?? 0)) return;
  const model_id = (now?.model_id ?? 0) + 1;
  const text = snapshotText(snapshot);
  const createdAt = await recordActivity(tx, {
    type: 'attribution.model_changed',
    actor: 'engine',
    subject: uuidToId('led', tx.ledgerId),
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
  await insertModel(tx, row, createdAt);
  if (!isRefresh) return;
  const outdated = await selectOutdated(tx, model_id, MAX_REFRESHED);
  await insertWaiting(tx, outdated);
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
export async function newestScoringModel(
  ledger: LedgerReader,
  settings: Settings,
): Promise<ScoringModel> {
  const newest = await selectNewestModel(ledger);
  if (newest !== null && newest.version === ATTRIBUTION_VERSION) return openModel(newest);
  const none = { choices: [], observations: [], today: 0 };
  return { id: 0, snapshot: learnSnapshot({ ...none, settings: settings.attribution }) };
}

/**
 * A model of a ledger, with which anybody can recompute the scores that name it.
 * @param modelId undefined for the newest
 * @throws LedgerError `not_found` for a model that is not of this version, and before the first one
 */
export async function readAttributionModel(
  ledger: LedgerReader,
  modelId: number | undefined,
): Promise<AttributionModel> {
  const row =
    modelId === undefined ? await selectNewestModel(ledger) : await selectModel(ledger, modelId);
  if (row === null || row.version !== ATTRIBUTION_VERSION) throw notFound('model');
  return {
    model: row.model_id,
    version: row.version,
    sha256: snapshotDigest(row.snapshot),
    weights: { ...openModel(row).snapshot.weights },
    snapshot: row.snapshot,
  };
}

/** How many models are learned again. */
const MAX_MODELS = 50;

export interface ModelReplay {
  /** How many models were learned again from the logs: the newest, at most 50. */
  readonly models: number;
  /** The numbers of those whose stored text differs, oldest first. */
  readonly differing: readonly number[];
}

/** Learns the newest models again from the logs of reviews and observations. Nothing is written. */
export async function replayModels(ledger: LedgerReader): Promise<ModelReplay> {
  const rows = await selectNewestModels(ledger, MAX_MODELS);
  const own = rows.filter(({ version }) => version === ATTRIBUTION_VERSION).reverse();
  const differing: number[] = [];
  for (const row of own) {
    if ((await relearn(ledger, row)) !== row.snapshot) differing.push(row.model_id);
  }
  return { models: own.length, differing };
}

async function relearn(ledger: LedgerReader, row: ModelRow): Promise<string> {
  const marks = { reviews: row.reviews_seq, observations: row.observations_seq };
  const input = await readLearningInput(ledger, marks);
  const settings = openSettingsText(row.settings);
  return snapshotText(await inTurns(learnModel({ ...input, settings, today: row.as_of_day })));
}
