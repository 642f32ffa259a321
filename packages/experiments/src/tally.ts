import type { Steps } from '@decision-ledger/contract/steps';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/** What is counted of an arm. */
export interface ArmTally {
  decisions: number;
  customers: number;
  /** Customers whose decisions in this arm moved money. */
  paying: number;
  lowest: number;
  highest: number;
  /** Sum over all decisions of the experiment of (1 ÷ propensity if in this arm) − 1. */
  surplus: number;
  /** Variance of that sum. */
  surplusVariance: number;
}

/** @returns by arm */
export function* tallyArms(sample: Sample): Steps<ArmTally[]> {
  const all = Array.from({ length: sample.arms }, emptyTally);
  const own = Array.from({ length: sample.arms }, () => ({
    decisions: 0,
    money: false,
    inverse: 0,
  }));
  let worked = 0;
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    const [start, end] = [valueAt(sample.first, cluster), valueAt(sample.first, cluster + 1)];
    for (const sums of own) Object.assign(sums, { decisions: 0, money: false, inverse: 0 });
    for (let index = start; index < end; index += 1) {
      const arm = valueAt(sample.arm, index);
      const [sums, total] = [own[arm], all[arm]];
      if (sums === undefined || total === undefined) continue;
      const propensity = valueAt(sample.propensity, index);
      sums.decisions += 1;
      sums.inverse += 1 / propensity;
      sums.money ||= valueAt(sample.money, index) !== 0;
      total.lowest = Math.min(total.lowest, propensity);
      total.highest = Math.max(total.highest, propensity);
    }
    for (const [arm, sums] of own.entries()) {
      const total = all[arm];
      if (total === undefined) continue;
      const surplus = sums.inverse - (end - start);
      total.surplus += surplus;
      total.surplusVariance += surplus * surplus;
      total.decisions += sums.decisions;
      if (sums.decisions > 0) total.customers += 1;
      if (sums.money) total.paying += 1;
    }
    worked += end - start;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
  return all;
}

function emptyTally(): ArmTally {
  return {
    decisions: 0,
    customers: 0,
    paying: 0,
    lowest: 1,
    highest: 0,
    surplus: 0,
    surplusVariance: 0,
  };
}

/** How far the propensities of the arms may be from a sum of one. */
const SUM_TOLERANCE = 0.015;

/** Deviations that do not happen by chance. */
const CERTAIN = 5;

/**
 * Whether the propensities cannot be those of an assignment to these arms. If each arm has one
 * propensity, their sum must be one. Otherwise, no chance and no loss of decisions makes all arms too
 * large, or all too small, at the same time.
 */
export function areInconsistent(arms: readonly ArmTally[]): boolean {
  const areConstant = arms.every(({ lowest, highest }) => highest - lowest < 1e-9);
  if (areConstant) {
    const sum = arms.reduce((total, { highest }) => total + highest, 0);
    return Math.abs(sum - 1) > SUM_TOLERANCE;
  }
  const deviations = arms.map(({ surplus, surplusVariance }) => {
    return surplusVariance === 0 ? 0 : surplus / Math.sqrt(surplusVariance);
  });
  return deviations.every((z) => z > CERTAIN) || deviations.every((z) => z < -CERTAIN);
}
