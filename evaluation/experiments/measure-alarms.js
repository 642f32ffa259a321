import { finish } from '@decision-ledger/contract/steps';
import { findAlarms, LEVELS } from '@decision-ledger/experiments/alarms';
import { compareArms } from '@decision-ledger/experiments/comparison';
import { sampleOf } from '@decision-ledger/experiments/sample';
import { createRandom } from '../random.js';
import { DESIGNS, draw } from './alarms.js';

/** Right experiments: the interval of 95 % holds the truth, and alarms are rare. Others: the interval holds it, or there is an alarm. */
const GOALS = { coverage: 0.9, weak: 0.05, strong: 0.01, safe: 0.85 };

/**
 * How often the interval holds the true difference, and how often there is an alarm.
 * @param {number} replications
 */
export function measureAlarms(replications) {
  return DESIGNS.map((design, place) => {
    const count = { covered: 0, weak: 0, strong: 0, safe: 0 };
    for (let run = 0; run < replications; run += 1) {
      const { isCovered, alarm } = simulate(design, createRandom(3 + place * 1_000_003 + run));
      if (isCovered) count.covered += 1;
      if (alarm !== null) count[alarm] += 1;
      if (isCovered || alarm !== null) count.safe += 1;
    }
    const share = (/** @type {number} */ of) => of / replications;
    const [coverage, weak, strong, safe] = [
      ...[share(count.covered), share(count.weak), share(count.strong), share(count.safe)],
    ];
    const met =
      design.kind === 'right'
        ? coverage >= GOALS.coverage && weak <= GOALS.weak && strong <= GOALS.strong
        : safe >= GOALS.safe;
    return { name: design.name, kind: design.kind, coverage, weak, strong, safe, met };
  });
}

/** @param {import('./alarms.js').Design} design @param {import('../random.js').Random} random */
function simulate(design, random) {
  const { observations, clusters, covariates, unlinked } = draw(design, random);
  const { truth } = design;
  const sample = sampleOf(observations, truth.length, clusters);
  const alarms = finish(findAlarms(sample, covariates));
  const { plain, adjusted } = finish(compareArms(sample, 0, covariates));
  const isCovered = (adjusted ?? plain).differences.every(
    ({ low, high }, arm) => arm === 0 || (low <= truth[arm] && truth[arm] <= high),
  );
  return { isCovered, alarm: gravest(alarms, unlinked) };
}

/** @param {import('@decision-ledger/experiments/alarms').Alarms} alarms @param {number} unlinked */
function gravest({ ratio, imbalance, coverage, shares }, unlinked) {
  const p = Math.min(ratio?.p ?? 1, imbalance?.test.p ?? 1);
  if (p < LEVELS.strong || coverage?.isStrong) return 'strong';
  const isGapUnlinked = shares !== null && unlinked >= shares.gap;
  return p < LEVELS.weak || coverage !== null || isGapUnlinked ? 'weak' : null;
}
