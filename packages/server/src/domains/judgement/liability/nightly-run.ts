import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Experience } from '@decision-ledger/liability/experience';
import { Learner } from '@decision-ledger/liability/learning';
import { lastDueDay } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { readSettings } from '../../access/settings/index.js';
import { detectDrift } from './detect-drift.js';
import { forecastMonth, storeEstimates } from './follow.js';
import { currentEstimationModel, type LiabilityModels, learnedModel } from './models.js';
import { isRemaking } from './projections.js';
import { RECALCULATION } from './queue.js';
import { reestimate } from './reestimate.js';
import { selectAmounts } from './store/estimates.js';
import { insertExposureDays } from './store/exposure.js';
import {
  lockLiabilityState,
  type StateRow,
  selectCurrencies,
  selectDueLedgers,
  selectLastDecisionSeq,
  updateCurrency,
  updateLiabilityState,
} from './store/snapshots.js';
import { selectWithoutEstimate } from './store/stored-rows.js';
import { selectLossOutcomes } from './store/subjects.js';

export interface NightlyTools {
  readonly models: LiabilityModels;
}

export interface DueRunTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/** Queues a job for each ledger whose nightly run is due, including missed runs. */
export async function requestDueRuns({ db, installation, jobs }: DueRunTools): Promise<void> {
  const { clock } = db.context;
  for (const scope of await selectDueLedgers(installation, lastDueDay(clock.now(), RUN_AT))) {
    await jobs.send(db.ledger(scope), RECALCULATION, {}, 'nightly');
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

/**
 * Runs or continues the nightly run of a ledger if it is due. A change of currency makes it due. While its derived rows
 * are being made again, a run waits until it is asked for again.
 */
export async function runNightly(
  ledger: Ledger,
  tools: NightlyTools,
  signal: AbortSignal,
): Promise<void> {
  const run = await ledger.write((tx) => dueRun(tx, tx.clock.now()));
  if (run !== null) await work(ledger, tools, run, signal, () => undefined);
}

/**
 * Starts a run now, due or not. It supersedes a run in another process.
 * @throws if a rebuild of the rows that it reads is unfinished
 */
export async function runNow(
  ledger: Ledger,
  tools: NightlyTools,
  onProgress: OnProgress,
): Promise<RunProgress> {
  const now = ledger.clock.now();
  const run = await ledger.write(async (tx) => {
    if (await isRemaking(tx)) {
      throw new Error('a rebuild of this ledger is unfinished: run decision-ledger rebuild first');
    }
    return beginRun(tx, await lockLiabilityState(tx), now);
  });
  return work(ledger, tools, run, new AbortController().signal, onProgress);
}

/**
 * Learns from the ledger, then estimates all its decisions as of one time, in the order of the chain. The
 * progress is stored with the estimates, so that a run continues after a crash and no change is
 * announced twice.
 */
async function work(
  ledger: Ledger,
  tools: NightlyTools,
  run: Run,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RunProgress> {
  await storeEstimates(ledger, signal);
  let progress: RunProgress = { decisions: 0, of: run.untilSeq, changed: 0 };
  if (!run.hasLearned && !(await learn(ledger, tools, run, signal))) return progress;
  while (!signal.aborted) {
    const step = await estimateStep(ledger, run);
    if (step === null) break;
    progress = { ...progress, ...step, changed: progress.changed + step.changed };
    onProgress(progress);
  }
  if (!signal.aborted) {
    await finish(ledger, run);
    await forecastMonth(ledger, run.asOf, signal);
    await nameLost(ledger, run.untilSeq);
  }
  return progress;
}

/**
 * The run leaves out estimates that were stored and are missing now; otherwise, it is complete.
 * @throws if there are any
 */
async function nameLost(ledger: Ledger, until: number): Promise<void> {
  const [first, second] = await selectWithoutEstimate(ledger, until, 2);
  if (first === undefined) return;
  const others = second === undefined ? '' : ', among others,';
  throw new Error(
    `the estimate of ${uuidToId('dec', first)}${others} is missing: run decision-ledger rebuild`,
  );
}

/** @returns null if the due run is complete, or has to wait */
async function dueRun(tx: LedgerWriter, now: number): Promise<Run | null> {
  const state = await lockLiabilityState(tx);
  const day = lastDueDay(now, RUN_AT);
  const { run_day, run_as_of, run_until_seq, run_snapshot } = state;
  const isComplete = state.completed_day !== null && state.completed_day >= day;
  if (isComplete && state.currency === (await readSettings(tx)).base_currency) return null;
  if (await isRemaking(tx)) return null;
  if (isComplete || run_day !== day || run_as_of === null || run_until_seq === null) {
    return beginRun(tx, state, now);
  }
  return { day, asOf: run_as_of, untilSeq: run_until_seq, hasLearned: run_snapshot !== null };
}

async function beginRun(tx: LedgerWriter, state: StateRow, now: number): Promise<Run> {
  const day = lastDueDay(now, RUN_AT);
  const untilSeq = await selectLastDecisionSeq(tx);
  const started = { run_day: day, run_as_of: now, run_until_seq: untilSeq };
  await updateLiabilityState(tx, { ...state, ...started, run_snapshot: null, run_after_seq: 0 });
  return { day, asOf: now, untilSeq, hasLearned: false };
}

/** @returns whether the run goes on; it does not if a rebuild has begun in the meantime */
async function learn(
  ledger: Ledger,
  { models }: NightlyTools,
  run: Run,
  signal: AbortSignal,
): Promise<boolean> {
  const { settings } = await models.get(ledger.scope);
  const experience = await collectExperience(ledger, settings, run, signal);
  if (signal.aborted) return false;
  const goesOn = await ledger.write(async (tx) => {
    const state = await lockLiabilityState(tx);
    if (await isRemaking(tx)) return false;
    if (state.run_as_of !== run.asOf || state.run_snapshot !== null) return true;
    const former = await currentEstimationModel(tx, tx.clock.now());
    await detectDrift(tx, former, experience, tx.clock.now());
    const { snapshotId } = await learnedModel(tx, experience, tx.clock.now());
    await updateLiabilityState(tx, { ...state, run_snapshot: snapshotId });
    return true;
  });
  models.forget(ledger.scope);
  return goesOn;
}

/** @returns the progress; null if nothing is left or another run has started */
function estimateStep(
  ledger: Ledger,
  { asOf, untilSeq }: Run,
): Promise<Pick<RunProgress, 'decisions' | 'changed'> | null> {
  return ledger.write(async (tx) => {
    const state = await lockLiabilityState(tx);
    const after = state.run_after_seq ?? 0;
    if (state.run_as_of !== asOf || after >= untilSeq) return null;
    const until = Math.min(untilSeq, after + STEP);
    const model = await currentEstimationModel(tx, asOf);
    const changed = await reestimate(tx, { model, asOf }, { after, until });
    await updateLiabilityState(tx, { ...state, run_after_seq: until });
    return { decisions: until, changed };
  });
}

async function finish(ledger: Ledger, run: Run): Promise<void> {
  await ledger.write(async (tx) => {
    const state = await lockLiabilityState(tx);
    if (state.run_as_of !== run.asOf) return;
    const { currency } = await currentEstimationModel(tx, run.asOf);
    await updateLiabilityState(tx, { ...state, completed_day: run.day });
    if (state.currency === null) {
      const [only = currency, ...others] = await selectCurrencies(tx);
      // Some estimates were made before the currency changed: the next run converts them.
      if (others.length > 0) return;
      await updateCurrency(tx, only);
    }
    await insertExposureDays(tx, run.day, currency);
  });
}

/** Decisions that one query reads. */
const EXPERIENCE_STEP = 10_000;
const DAY_MS = 86_400_000;

/**
 * Learns from a ledger's decisions: how many cost money, how much of the amount at risk a loss took, and
 * the usual amount at risk. Reads in short steps and writes nothing.
 * @param asOf ms
 */
async function collectExperience(
  ledger: Ledger,
  settings: LiabilitySettings,
  { asOf, untilSeq }: { readonly asOf: number; readonly untilSeq: number },
  signal: AbortSignal,
): Promise<Experience> {
  const maturity = {
    asOf,
    others: settings.loss_maturity_days * DAY_MS,
    byActionType: Object.entries(settings.loss_maturity_days_by_action_type).map(
      ([actionType, days]): [string, number] => [actionType, days * DAY_MS],
    ),
  };
  const learner = new Learner();
  for (let after = 0; after < untilSeq && !signal.aborted; after += EXPERIENCE_STEP) {
    const until = Math.min(untilSeq, after + EXPERIENCE_STEP);
    learner.addOutcomes(await selectLossOutcomes(ledger, { after, until }, maturity));
    learner.addAmounts(await selectAmounts(ledger, { after, until }));
  }
  return learner.experience();
}
