import { finish } from '@decision-ledger/contract/steps';
import { LEVELS } from '@decision-ledger/experiments/alarms';
import { testRatio } from '@decision-ledger/experiments/balance';
import { estimateEffects } from '@decision-ledger/experiments/estimate';
import { fitPredictions } from '@decision-ledger/experiments/regression';
import { sampleOf } from '@decision-ledger/experiments/sample';
import { createRandom } from '../random.js';
import { RATIOS, SCENARIOS } from './scenarios.js';

/** How far a coverage may be from 95 %. */
const TOLERANCE = 0.02;

/** @param {number} replications */
export function measureCoverage(replications) {
  return SCENARIOS.flatMap((scenario, place) => {
    const tallies = new Map();
    for (let run = 0; run < replications; run += 1) {
      const { observations, clusters, covariates } = scenario.draw(
        createRandom(1 + place * 1_000_003 + run),
      );
      const sample = sampleOf(observations, scenario.arms, clusters);
      const predict = covariates.length === 0 ? null : finish(fitPredictions(sample, covariates));
      count(tallies, 'weighted', scenario, finish(estimateEffects(sample, 0, null)));
      if (predict !== null) {
        count(tallies, 'adjusted', scenario, finish(estimateEffects(sample, 0, predict)));
      }
    }
    return [...tallies.values()].map((tally) => describe(scenario, tally));
  });
}

function count(tallies, estimator, { truth }, { differences }) {
  for (const [arm, { value, low, high, standardError }] of differences.entries()) {
    if (arm === 0) continue;
    const key = `${estimator} ${arm}`;
    const tally = tallies.get(key) ?? emptyTally(estimator, arm, truth[arm]);
    tallies.set(key, tally);
    tally.runs += 1;
    tally.below += high < tally.truth ? 1 : 0;
    tally.above += low > tally.truth ? 1 : 0;
    tally.sum += value - tally.truth;
    tally.squares += (value - tally.truth) ** 2;
    tally.error += standardError;
  }
}

function emptyTally(estimator, arm, truth) {
  return { estimator, arm, truth, runs: 0, below: 0, above: 0, sum: 0, squares: 0, error: 0 };
}

function describe({ name, isBelowMinimum = false }, tally) {
  const { estimator, arm, truth, runs, below, above, sum, squares, error } = tally;
  const coverage = 1 - (below + above) / runs;
  const deviation = Math.sqrt(squares / runs - (sum / runs) ** 2);
  return {
    name,
    estimator,
    arm,
    truth,
    isBelowMinimum,
    coverage,
    below: below / runs,
    above: above / runs,
    bias: sum / runs / deviation,
    deviation,
    errorRatio: error / runs / deviation,
    met: isBelowMinimum || Math.abs(coverage - 0.95) <= TOLERANCE + 1e-9,
  };
}

/** @param {number} replications */
export function measureRatios(replications) {
  return RATIOS.map(({ name, arms, isRight, draw }, place) => {
    let suspicious = 0;
    let five = 0;
    for (let run = 0; run < replications; run += 1) {
      const { observations, clusters } = draw(createRandom(7 + place * 1_000_003 + run));
      const test = finish(testRatio(sampleOf(observations, arms, clusters)));
      if (test !== null && test.p < LEVELS.strong) suspicious += 1;
      if (test !== null && test.p < 0.05) five += 1;
    }
    const share = suspicious / replications;
    const met = isRight ? share <= 0.005 : share >= 0.8;
    return { name, isRight, suspicious: share, five: five / replications, met };
  });
}
