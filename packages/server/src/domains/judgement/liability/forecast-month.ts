import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Aggregate, aggregateInSteps } from '@decision-ledger/liability/aggregate';
import type { Simulation } from '@decision-ledger/liability/aggregate-plan';
import type { Ledger } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { storeEstimates } from './follow.js';
import { newestEstimationModel } from './models.js';
import { hasForecast, insertForecast, selectMonthPools } from './store/forecasts.js';
import { selectCurrency } from './store/liability-states.js';

/**
 * Stores what the decisions of the last complete month will have cost, once, so that it can be compared
 * with what they did cost. A month is left out while its estimates are in several currencies.
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
  await ledger.write((tx) => insertForecast(tx, about, total, tx.clock.now()));
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
