import type { Clock } from '../../../platform/clock.js';
import { lastDueDay } from '../../../platform/daily.js';
import type { Database, Transaction } from '../../../platform/database.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Installation } from '../../../platform/installation.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import { collectExperience } from './collect-experience.js';
import { detectDrift } from './detect-drift.js';
import { forecastMonth } from './forecast-month.js';
import { currentModel, type LiabilityModels, learnedModel } from './models.js';
import { RECALCULATION } from './queue.js';
import { reestimate } from './reestimate.js';
import { exposureSums } from './roll-up.js';
import { insertExposureDays } from './store/exposure.js';
import {
  lockState,
  type StateRow,
  selectDueLedgers,
  selectHeadSeq,
  updateCurrency,
  updateState,
} from './store/liability-states.js';
import { selectCurrencies } from './store/snapshots.js';

export interface NightlyTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly models: LiabilityModels;
}

export interface DueTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly jobs: JobQueue;
}

/** Queues a job for each ledger whose nightly run is due, including missed runs. */
export async function requestDueRuns({ db, installation, clock, jobs }: DueTools): Promise<void> {
  for (const scope of await selectDueLedgers(installation, lastDueDay(clock.now(), RUN_AT))) {
    await jobs.send(db, RECALCULATION, scope, {}, 'nightly');
  }
}

/** Time of day (UTC) of the nightly run. */
const RUN_AT = 2 * 3_600_000;

/** Decisions estimated in one transaction. Changes of the ledger's links wait for its lock. */
const STEP = 1000;

/** A run in progress. */
interface Run {
  readonly day: string;
  readonly asOf: number;
  readonly untilSeq: number;
  readonly hasLearned: boolean;
}

/** Progress of a run. */
export interface RunProgress {
  readonly decisions: number;
  readonly of: number;
  /** Exposures that changed by a minor unit or more. */
  readonly changed: number;
}

type OnProgress = (progress: RunProgress) => void;

/** Runs or continues the nightly run of a ledger if it is due. A change of currency makes it due. */
export async function runNightly(
  tools: NightlyTools,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  const run = await tools.db.transaction((tx) => dueRun(tx, scope, tools.clock.now()));
  if (run !== null) await work(tools, scope, run, signal, () => undefined);
}

/** Starts a run now, due or not. It supersedes a run in another process. */
export async function runNow(
  tools: NightlyTools,
  scope: Scope,
  onProgress: OnProgress,
): Promise<RunProgress> {
  const now = tools.clock.now();
  const run = await tools.db.transaction(async (tx) =>
    beginRun(tx, scope, await lockState(tx, scope), now),
  );
  return work(tools, scope, run, new AbortController().signal, onProgress);
}

/**
 * Learns from the ledger, then estimates all its decisions as of one time, in the order of the chain. The
 * progress is stored with the estimates, so that a run continues after a crash and no change is
 * announced twice.
 */
async function work(
  tools: NightlyTools,
  scope: Scope,
  run: Run,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RunProgress> {
  await catchUp(tools.db, scope, exposureSums, signal);
  if (!run.hasLearned) await learn(tools, scope, run, signal);
  let progress: RunProgress = { decisions: 0, of: run.untilSeq, changed: 0 };
  while (!signal.aborted) {
    const step = await estimateStep(tools, scope, run);
    if (step === null) break;
    progress = { ...progress, ...step, changed: progress.changed + step.changed };
    onProgress(progress);
  }
  if (!signal.aborted) {
    await finish(tools, scope, run);
    await forecastMonth(tools, scope, run.asOf);
  }
  return progress;
}

/** @returns null if the due run is complete */
async function dueRun(tx: Transaction, scope: Scope, now: number): Promise<Run | null> {
  const state = await lockState(tx, scope);
  const day = lastDueDay(now, RUN_AT);
  const { run_day, run_as_of, run_until_seq, run_snapshot } = state;
  const isComplete = state.completed_day !== null && state.completed_day >= day;
  if (isComplete && state.currency === (await readSettings(tx, scope)).base_currency) return null;
  if (isComplete || run_day !== day || run_as_of === null || run_until_seq === null) {
    return beginRun(tx, scope, state, now);
  }
  return { day, asOf: run_as_of, untilSeq: run_until_seq, hasLearned: run_snapshot !== null };
}

async function beginRun(tx: Transaction, scope: Scope, state: StateRow, now: number): Promise<Run> {
  const day = lastDueDay(now, RUN_AT);
  const untilSeq = await selectHeadSeq(tx, scope);
  const started = { run_day: day, run_as_of: now, run_until_seq: untilSeq };
  await updateState(tx, scope, { ...state, ...started, run_snapshot: null, run_after_seq: 0 });
  return { day, asOf: now, untilSeq, hasLearned: false };
}

async function learn(
  { db, clock, models }: NightlyTools,
  scope: Scope,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const { settings } = await models.get(scope);
  const experience = await collectExperience(db, scope, settings, run, signal);
  if (signal.aborted) return;
  await db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    if (state.run_as_of !== run.asOf || state.run_snapshot !== null) return;
    const former = await currentModel(tx, scope, clock.now());
    await detectDrift(tx, scope, former, experience, clock.now());
    const { snapshotId } = await learnedModel(tx, scope, experience, clock.now());
    await updateState(tx, scope, { ...state, run_snapshot: snapshotId });
  });
  models.forget(scope);
}

/** @returns the progress; null if nothing is left or another run has started */
function estimateStep(
  { db }: NightlyTools,
  scope: Scope,
  { asOf, untilSeq }: Run,
): Promise<Pick<RunProgress, 'decisions' | 'changed'> | null> {
  return db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    const after = state.run_after_seq ?? 0;
    if (state.run_as_of !== asOf || after >= untilSeq) return null;
    const until = Math.min(untilSeq, after + STEP);
    const model = await currentModel(tx, scope, asOf);
    const changed = await reestimate(tx, scope, { model, asOf }, { after, until });
    await updateState(tx, scope, { ...state, run_after_seq: until });
    return { decisions: until, changed };
  });
}

async function finish({ db }: NightlyTools, scope: Scope, run: Run): Promise<void> {
  await db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    if (state.run_as_of !== run.asOf) return;
    const { currency } = await currentModel(tx, scope, run.asOf);
    await updateState(tx, scope, { ...state, completed_day: run.day });
    if (state.currency === null) {
      const [only = currency, ...others] = await selectCurrencies(tx, scope);
      // Some estimates were made before the currency changed: the next run converts them.
      if (others.length > 0) return;
      await updateCurrency(tx, scope, only);
    }
    await insertExposureDays(tx, scope, run.day, currency);
  });
}
