import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Aggregate, aggregateInSteps } from '@decision-ledger/liability/aggregate';
import type { Simulation } from '@decision-ledger/liability/aggregate-plan';
import type { LogFollower } from '../../../platform/followers/follower.js';
import { catchUp, OutdatedError, takeStep } from '../../../platform/followers/step.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { selectLastErasure } from '../../record/decisions/index.js';
import { firstEstimatePages, unmakeable } from './first-estimates.js';
import { newestEstimationModel } from './models.js';
import { isRemaking } from './projections.js';
import { type NewEstimate, selectStoredSeqs } from './store/estimates.js';
import { ESTIMATES, storeFirst } from './store/exposure.js';
import { hasForecast, insertForecast, selectMonthPools } from './store/forecasts.js';
import { lockLiabilityState, selectCurrency } from './store/snapshots.js';

/** Stores the first estimates of decisions, and adds them to the cells, so that analyses stay fast. */
export const estimateFollower: LogFollower = {
  name: ESTIMATES,
  kind: 'projection',
  follows: ['decisions'],
  owns: ['exposure_cells'],
  step: 1000,
  // The sums must have all estimates before a position: they wait, whatever fails.
  isFatal: () => true,
  async advance(ledger, { log, after, until }) {
    const span = { after, until };
    const erasure = await selectLastErasure(ledger);
    const { made, gap } = await readUntilGap(ledger, span);
    if (gap !== null) {
      const before = { log, after, until: gap - 1, isLast: false };
      if (before.until > after) await takeStep(ledger, estimateFollower, before);
      throw unmakeable(gap);
    }
    return {
      async write(tx) {
        // Who changes an estimate changes the cells, if it is in them. An erasure takes this lock before it erases.
        await lockLiabilityState(tx);
        if ((await selectLastErasure(tx)) !== erasure)
          throw new OutdatedError('fields were erased in the meantime');
        await storeFirst(tx, span, made);
      },
    };
  },
};

interface UntilGap {
  readonly made: readonly NewEstimate[];
  /** The first decision (seq) whose estimate is not stored and cannot be made. */
  readonly gap: number | null;
}

async function readUntilGap(
  ledger: LedgerReader,
  span: { readonly after: number; readonly until: number },
): Promise<UntilGap> {
  const made: NewEstimate[] = [];
  for await (const page of firstEstimatePages(ledger, span)) {
    // A change of links may have stored it before its snapshot was lost.
    const stored =
      page.unmade.length > 0 ? await selectStoredSeqs(ledger, { seqs: page.unmade }) : [];
    const gap = page.unmade.find((seq) => !stored.includes(seq));
    if (gap !== undefined) return { made, gap };
    made.push(...page.made);
  }
  return { made, gap: null };
}

/**
 * Stores the estimates of all decisions that are recorded when it begins.
 * @throws if one cannot be made
 */
export function storeEstimates(
  ledger: Ledger,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  return catchUp(ledger, estimateFollower, signal);
}

/**
 * Stores what the decisions of the last complete month will have cost, once, so that it can be compared
 * with what they did cost. A month is left out while its estimates are in several currencies, or are made again.
 * @param asOf ms
 */
export async function forecastMonth(
  ledger: Ledger,
  asOf: number,
  signal?: AbortSignal,
): Promise<void> {
  const month = monthBefore(asOf);
  if (await hasForecast(ledger, month)) return;
  // Decisions of that month may have been recorded since the run began.
  await storeEstimates(ledger, signal);
  const { snapshotId, currency, estimator, experience } = await newestEstimationModel(
    ledger,
    await readSettings(ledger),
  );
  const [state] = await selectCurrency(ledger);
  const pools = await selectMonthPools(ledger, month);
  if (pools.length === 0 || state?.currency !== currency) return;
  const { dispersion } = experience;
  const seed = `${ledger.ledgerId} ${month}`;
  const total = await simulate({ pools, estimator, dispersion, seed });
  const decisions = pools.reduce((sum, pool) => sum + pool.decisions, 0);
  const about = { month, snapshotId, currency, decisions };
  await ledger.write(async (tx) => {
    if (!(await isRemaking(tx))) await insertForecast(tx, about, total, tx.clock.now());
  });
}

/** The first day (UTC) of the month before a time. */
function monthBefore(ms: number): string {
  const date = new Date(ms);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
  return new Date(start).toISOString().slice(0, 10);
}

async function simulate(simulation: Simulation): Promise<Aggregate> {
  const steps = aggregateInSteps(simulation);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
