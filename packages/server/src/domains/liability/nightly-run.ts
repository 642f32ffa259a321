import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { collectExperience } from './collect-experience.js';
import { currentModel, type LiabilityModels, learnedModel } from './models.js';
import { reestimate } from './reestimate.js';
import { rollUpLedger } from './roll-up.js';
import { lastDue } from './rules/due.js';
import { insertExposureDays } from './store/insert-exposure-days.js';
import { lockState } from './store/lock-state.js';
import { selectHeadSeq } from './store/select-head-seq.js';
import { updateState } from './store/update-state.js';

export interface NightlyTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly models: LiabilityModels;
}

/** Decisions that are estimated in one transaction: links of the ledger wait for no longer than it. */
const STEP = 1000;

/** A run under way. */
interface Run {
  readonly day: string;
  readonly asOf: number;
  readonly untilSeq: number;
  readonly hasLearned: boolean;
}

/**
 * Estimates every decision of a ledger anew, as of one time: first what the ledger has learned, then
 * the decisions in the order of the chain. How far it came is kept with what it wrote, so that a run
 * goes on where it stopped, and nothing is told twice, whatever dies in between.
 */
export async function runNightly(
  tools: NightlyTools,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  const run = await startRun(tools, scope);
  if (run === null) return;
  await rollUpLedger(tools, scope);
  if (!run.hasLearned) await learn(tools, scope, run, signal);
  let isBehind = true;
  while (isBehind && !signal.aborted) isBehind = await estimateStep(tools, scope, run);
  if (!signal.aborted) await finish(tools, scope, run);
}

/** @returns null where the run that is due is complete */
function startRun({ db, clock }: NightlyTools, scope: Scope): Promise<Run | null> {
  const now = clock.now();
  const day = lastDue(now);
  return db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    if (state.completed_day !== null && state.completed_day >= day) return null;
    const { run_as_of, run_until_seq, run_snapshot } = state;
    if (state.run_day === day && run_as_of !== null && run_until_seq !== null) {
      return { day, asOf: run_as_of, untilSeq: run_until_seq, hasLearned: run_snapshot !== null };
    }
    const untilSeq = await selectHeadSeq(tx, scope);
    const begun = { run_day: day, run_as_of: now, run_until_seq: untilSeq };
    await updateState(tx, scope, { ...state, ...begun, run_snapshot: null, run_after_seq: 0 });
    return { day, asOf: now, untilSeq, hasLearned: false };
  });
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
    if (state.run_day !== run.day || state.run_snapshot !== null) return;
    const { snapshotId } = await learnedModel(tx, scope, experience, clock.now());
    await updateState(tx, scope, { ...state, run_snapshot: snapshotId });
  });
  models.forget(scope);
}

/** @returns whether there is more to do; not where another process began a later run */
function estimateStep(
  { db }: NightlyTools,
  scope: Scope,
  { day, asOf, untilSeq }: Run,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    const after = state.run_after_seq ?? 0;
    if (state.run_day !== day || after >= untilSeq) return false;
    const until = Math.min(untilSeq, after + STEP);
    const model = await currentModel(tx, scope, asOf);
    await reestimate(tx, scope, { model, state, asOf }, { after, until });
    await updateState(tx, scope, { ...state, run_after_seq: until });
    return until < untilSeq;
  });
}

async function finish({ db }: NightlyTools, scope: Scope, run: Run): Promise<void> {
  await db.transaction(async (tx) => {
    const state = await lockState(tx, scope);
    if (state.run_day !== run.day || state.completed_day === run.day) return;
    const { currency } = await currentModel(tx, scope, run.asOf);
    await insertExposureDays(tx, scope, run.day, currency);
    await updateState(tx, scope, { ...state, completed_day: run.day });
  });
}
