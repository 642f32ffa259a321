import { notFound } from '@decision-ledger/contract/errors';
import type {
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import type { Settings } from '@decision-ledger/contract/settings';
import { ownValue } from '@decision-ledger/liability/action-type';
import { LIABILITY_VERSION } from '@decision-ledger/liability/estimator';
import type { Experience } from '@decision-ledger/liability/experience';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { reasonOf } from '../../../platform/failures.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { UnmakeableError } from '../../../platform/projections/projection.js';
import { readSettings } from '../../access/settings/index.js';
import {
  insertSnapshot,
  lockLiabilityState,
  type SnapshotRow,
  selectSnapshot,
  selectSnapshotById,
  selectSnapshots,
  updateCurrency,
} from './store/snapshots.js';
import {
  type EstimationModel,
  experienceText,
  NO_EXPERIENCE,
  openSnapshot,
  settingsRow,
} from './stored-snapshot.js';

/** Cached models: a change of settings or experience takes effect within a second. */
export interface LiabilityModels {
  get(scope: Scope): Promise<EstimationModel>;
  /** Clears the cache, so that a change made by this process takes effect immediately. */
  forget(scope: Scope): void;
}

const STALE_MS = 900;

export function liabilityModels(db: Database, clock: Clock): LiabilityModels {
  const cache = expiringCache<EstimationModel>(clock, STALE_MS);
  async function load(scope: Scope): Promise<EstimationModel> {
    const ledger = db.ledger(scope);
    const settings = await readSettings(ledger);
    const newest = await selectSnapshot(ledger);
    if (newest !== null && isCurrent(newest, settings)) return openSnapshot(newest);
    return ledger.write(async (tx) => {
      await lockLiabilityState(tx);
      return currentEstimationModel(tx, clock.now());
    });
  }
  return {
    get: async (scope) =>
      cache.peek(scope.ledgerId) ?? (await cache.get(scope.ledgerId, () => load(scope))),
    forget: (scope) => cache.forget(scope.ledgerId),
  };
}

/**
 * The current model, for a transaction that changes estimates and holds the lock on their state. Takes a
 * snapshot if the settings changed since the last one.
 * @param at ms
 */
export async function currentEstimationModel(
  tx: LedgerWriter,
  at: number,
): Promise<EstimationModel> {
  const newest = await selectSnapshot(tx);
  const isReadable = newest?.version === LIABILITY_VERSION;
  const experience = isReadable ? newest.experience : experienceText(NO_EXPERIENCE);
  return takeSnapshot(tx, newest, experience, at);
}

/** The current model with new experience. */
export async function learnedModel(
  tx: LedgerWriter,
  experience: Experience,
  at: number,
): Promise<EstimationModel> {
  const newest = await selectSnapshot(tx);
  return takeSnapshot(tx, newest, experienceText(experience), at);
}

async function takeSnapshot(
  tx: LedgerWriter,
  newest: SnapshotRow | null,
  experience: string,
  at: number,
): Promise<EstimationModel> {
  const settings = await readSettings(tx);
  if (newest !== null && isCurrent(newest, settings) && newest.experience === experience) {
    return openSnapshot(newest);
  }
  const snapshot = {
    ...snapshotOf(settings, experience),
    snapshot_id: (newest?.snapshot_id ?? 0) + 1,
  };
  await insertSnapshot(tx, snapshot, at);
  if (newest === null) await updateCurrency(tx, snapshot.currency);
  else if (newest.currency !== snapshot.currency) await updateCurrency(tx, null);
  return openSnapshot(snapshot);
}

/** A snapshot that is not stored, without a number of its own. */
function snapshotOf(settings: Settings, experience: string): SnapshotRow {
  return { snapshot_id: 0, version: LIABILITY_VERSION, ...settingsRow(settings), experience };
}

function isCurrent(snapshot: SnapshotRow, now: Settings): boolean {
  const { currency, settings, rates } = settingsRow(now);
  return (
    snapshot.version === LIABILITY_VERSION &&
    snapshot.currency === currency &&
    snapshot.settings === settings &&
    snapshot.rates === rates
  );
}

/** The model that settings would make of the present experience. It is not stored. */
export async function modelOf(ledger: LedgerReader, settings: Settings): Promise<EstimationModel> {
  const newest = await selectSnapshot(ledger);
  const isReadable = newest?.version === LIABILITY_VERSION;
  const experience = isReadable ? newest.experience : experienceText(NO_EXPERIENCE);
  return openSnapshot(snapshotOf(settings, experience));
}

/** The newest model, for readers; that of the settings if there is no snapshot of this version yet. */
export async function newestEstimationModel(
  ledger: LedgerReader,
  settings: Settings,
): Promise<EstimationModel> {
  const newest = await selectSnapshot(ledger);
  const isReadable = newest?.version === LIABILITY_VERSION;
  return openSnapshot(isReadable ? newest : snapshotOf(settings, experienceText(NO_EXPERIENCE)));
}

/** A snapshot by its number, and when it was taken (ms): after a restore, another one may have the number. */
export interface SnapshotName {
  readonly estimate_snapshot: number;
  readonly taken_at: number | null;
}

/** Snapshots never change, and a large one takes long to read and to open. */
const opened = new Map<string, EstimationModel>();
const MOST_OPENED = 20;

/** The models of stored snapshots, by number, as far as they are there and can be read. */
export async function openNamed(
  ledger: LedgerReader,
  names: readonly SnapshotName[],
): Promise<ReadonlyMap<number, EstimationModel>> {
  const models = new Map<number, EstimationModel>();
  const keys = new Map<number, string>();
  for (const { estimate_snapshot: id, taken_at } of names) {
    if (keys.has(id)) continue;
    const key = `${ledger.ledgerId} ${id} ${taken_at}`;
    keys.set(id, key);
    const known = opened.get(key);
    if (known !== undefined) models.set(id, known);
  }
  const missing = [...keys.keys()].filter((id) => !models.has(id));
  if (missing.length === 0) return models;
  for (const row of await selectSnapshots(ledger, missing)) {
    const model = openLegible(row);
    if (model === null) continue;
    models.set(row.snapshot_id, model);
    keep(keys.get(row.snapshot_id) ?? '', model);
  }
  return models;
}

/** Null if the snapshot is damaged, which keeps nobody from the estimates that name others. */
function openLegible(row: SnapshotRow): EstimationModel | null {
  try {
    return openSnapshot(row);
  } catch {
    return null;
  }
}

function keep(key: string, model: EstimationModel): void {
  const [oldest] = opened.keys();
  if (opened.size >= MOST_OPENED && oldest !== undefined) opened.delete(oldest);
  opened.set(key, model);
}

/**
 * Reads and opens snapshots (by number), as far as they are there.
 * @throws UnmakeableError if one is damaged
 */
export async function openModels(
  ledger: LedgerReader,
  ids: readonly number[],
): Promise<Map<number, EstimationModel>> {
  if (ids.length === 0) return new Map();
  const rows = await selectSnapshots(ledger, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.snapshot_id, openIntact(row)]));
}

function openIntact(row: SnapshotRow): EstimationModel {
  try {
    return openSnapshot(row);
  } catch (cause) {
    throw new UnmakeableError(
      `liability_snapshots ${row.snapshot_id}: ${reasonOf(cause)}: restore a backup`,
      { cause },
    );
  }
}

/**
 * The settings and learned figures that estimates of an action type follow from.
 * @throws LedgerError `not_found` for a snapshot that is not of this version
 */
export async function readLiabilityModel(
  ledger: LedgerReader,
  { action_type, snapshot }: LiabilityModelQuery,
): Promise<LiabilityModelFigures> {
  const settings = await readSettings(ledger);
  if (snapshot === undefined)
    return figuresOf(await newestEstimationModel(ledger, settings), action_type);
  const row = await selectSnapshotById(ledger, snapshot);
  if (row === null || row.version !== LIABILITY_VERSION) throw notFound('snapshot');
  return figuresOf(openSnapshot(row), action_type);
}

function figuresOf(model: EstimationModel, actionType: string): LiabilityModelFigures {
  const { tallies, rates, controls, severity, usualAmount, rateOf } =
    model.estimator.modelOf(actionType);
  const learned = ownValue(model.experience.action_types, actionType);
  const { count, sum, squares } = learned?.severity ?? { count: 0, sum: 0, squares: 0 };
  return {
    snapshot: model.snapshotId,
    version: model.version,
    currency: model.currency,
    settings: model.settings,
    payload_units: [...model.payload_units],
    action_type: actionType,
    spread: rates.spread,
    rate: rates.type,
    usual_rate: controls.usual,
    human_factors: controls.humanFactors,
    severity: {
      ...{ count, sum, squares },
      mean: severity.mean,
      spread: severity.spread,
      uncertainty: severity.uncertainty,
    },
    usual_amount: usualAmount.amount,
    largest_amount: learned?.largest_amount ?? null,
    sizes: [...(learned?.sizes ?? [])],
    variants: (learned?.variants ?? []).map((variant, index) => ({
      agent_id: variant.agent_id,
      variant: variant.variant,
      size_factor: variant.size_factor,
      outcomes: [...variant.outcomes],
      usual: {
        decisions: tallies[index]?.decisions ?? 0,
        losses: tallies[index]?.losses ?? 0,
      },
      rate: rateOf(variant.agent_id, variant.variant).version.rate,
    })),
  };
}
