import type { Steps } from '@decision-ledger/contract/steps';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/** What the recorded propensities say of a decision and an arm that need not be its own. */
export interface Stated {
  /**
   * What is zero on average if the propensities are right: whether the decision is in the arm, less the probability of that.
   * With more than two arms and propensities that vary, only that of the own arm is known, and takes its place as a weight.
   */
  surplus(index: number, arm: number): number;
  /** The probability of the arm; the least one of the arm where it is not known. */
  probability(index: number, arm: number): number;
}

/** Propensities that differ by less are the same. */
const SAME = 1e-9;

export function* statedOf(sample: Sample): Steps<Stated> {
  const least = new Float64Array(sample.arms).fill(1);
  const most = new Float64Array(sample.arms);
  for (let index = 0; index < sample.decisions; index += 1) {
    if (index % STEP_DECISIONS === 0) yield;
    const arm = valueAt(sample.arm, index);
    const own = valueAt(sample.propensity, index);
    least[arm] = Math.min(valueAt(least, arm), own);
    most[arm] = Math.max(valueAt(most, arm), own);
  }
  const isOwn = (index: number, arm: number) => valueAt(sample.arm, index) === arm;
  const propensity = (index: number) => valueAt(sample.propensity, index);
  const other =
    sample.arms === 2
      ? (index: number) => 1 - propensity(index)
      : (_: number, arm: number) => valueAt(least, arm);
  const probability = (index: number, arm: number) =>
    isOwn(index, arm) ? propensity(index) : other(index, arm);
  const isKnown = sample.arms === 2 || most.every((one, arm) => one - valueAt(least, arm) < SAME);
  return {
    probability,
    surplus: isKnown
      ? (index, arm) => (isOwn(index, arm) ? 1 : 0) - probability(index, arm)
      : (index, arm) => (isOwn(index, arm) ? 1 / propensity(index) : 0) - 1,
  };
}
