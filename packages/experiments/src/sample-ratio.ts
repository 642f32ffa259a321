import type { Steps } from '@decision-ledger/contract/steps';
import { solveCholesky } from '@decision-ledger/numerics/cholesky';
import { chiSquareTail } from '@decision-ledger/numerics/distributions';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/** Below this p value the numbers of decisions are not what the propensities say. */
export const SUSPICIOUS = 0.001;

export interface SampleRatioTest {
  readonly statistic: number;
  readonly degrees: number;
  readonly p: number;
}

/**
 * Whether the numbers of decisions in the arms agree with the propensities. Each decision adds what has
 * mean zero if they do: with two arms, whether it is in the second one less the probability of that;
 * with more, of which only the propensity of the own arm is recorded, 1 ÷ propensity if it is in an arm,
 * less 1. The sums are compared with their variance over customers, which is valid whether decisions or
 * customers were assigned. With equal propensities and one decision for each customer this is Pearson's
 * test.
 * @returns null if the sums do not vary
 */
export function* testRatio(sample: Sample): Steps<SampleRatioTest | null> {
  const degrees = sample.arms - 1;
  const total = new Float64Array(degrees);
  const variance = new Float64Array(degrees * degrees);
  const own = new Float64Array(degrees);
  let worked = 0;
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    const [start, end] = [valueAt(sample.first, cluster), valueAt(sample.first, cluster + 1)];
    own.fill(0);
    for (let index = start; index < end; index += 1) addMoments(sample, index, own);
    for (let row = 0; row < degrees; row += 1) {
      total[row] = valueAt(total, row) + valueAt(own, row);
      for (let column = 0; column < degrees; column += 1) {
        const place = row * degrees + column;
        variance[place] = valueAt(variance, place) + valueAt(own, row) * valueAt(own, column);
      }
    }
    worked += end - start;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
  const solved = degrees === 0 ? null : solveCholesky(variance, total);
  if (solved === null) return null;
  let statistic = 0;
  for (let row = 0; row < degrees; row += 1)
    statistic += valueAt(total, row) * valueAt(solved, row);
  return { statistic, degrees, p: chiSquareTail(statistic, degrees) };
}

/** Arm 0 follows from the others. */
function addMoments(sample: Sample, index: number, own: Float64Array): void {
  const arm = valueAt(sample.arm, index);
  const propensity = valueAt(sample.propensity, index);
  if (sample.arms === 2) {
    own[0] = valueAt(own, 0) + (arm === 1 ? 1 - propensity : propensity - 1);
    return;
  }
  for (let row = 0; row < own.length; row += 1) {
    own[row] = valueAt(own, row) + (arm === row + 1 ? 1 / propensity - 1 : -1);
  }
}
