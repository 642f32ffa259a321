import type { Steps } from '@decision-ledger/contract/steps';
import { chiSquareTail } from '@decision-ledger/numerics/distributions';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/** Means of the arms, and whether they differ by more than chance. */
export interface MeansTest {
  /** By arm. */
  readonly means: readonly number[];
  readonly p: number;
}

/** Fewer customers with a value in an arm are not compared. */
const MIN_CUSTOMERS = 20;

/** Sums over the customers of an arm; those of the decisions of each are its weight and its value. */
interface ArmSums {
  customers: number;
  weight: number;
  value: number;
  weightSquares: number;
  products: number;
  valueSquares: number;
  /** Sum of the value squared ÷ weight. */
  meanSquares: number;
}

/**
 * Whether a mean differs between the arms, weighted by 1 ÷ propensity. Under equal means a customer of any arm tells how much
 * they vary, so an arm in which all are alike by chance is not taken for certain.
 * @param values one for each decision; NaN if it has none
 * @returns null if an arm has too few values, or they do not vary
 */
export function* testEqualMeans(sample: Sample, values: Float64Array): Steps<MeansTest | null> {
  const arms = yield* sumArms(sample, values);
  if (arms.some(({ customers }) => customers < MIN_CUSTOMERS)) return null;
  const sum = (of: (arm: ArmSums) => number) => arms.reduce((all, arm) => all + of(arm), 0);
  const weight = sum((arm) => arm.weight);
  const mean = sum((arm) => arm.value) / weight;
  const variance = sum((arm) => arm.meanSquares) / weight - mean ** 2;
  if (variance < 1e-12) return null;
  const means = arms.map((arm) => arm.value / arm.weight);
  const precision = arms.map(({ weight: own, weightSquares, products, valueSquares }) => {
    const around = valueSquares - 2 * mean * products + mean ** 2 * weightSquares;
    return own ** 2 / Math.max(variance * weightSquares, around);
  });
  const precisions = precision.reduce((all, one) => all + one, 0);
  const common = means.reduce((all, own, arm) => all + own * (precision[arm] ?? 0), 0) / precisions;
  const statistic = means.reduce(
    (all, own, arm) => all + (own - common) ** 2 * (precision[arm] ?? 0),
    0,
  );
  return { means, p: chiSquareTail(statistic, sample.arms - 1) };
}

function* sumArms(sample: Sample, values: Float64Array): Steps<ArmSums[]> {
  const arms = Array.from({ length: sample.arms }, emptySums);
  const own = arms.map(() => ({ weight: 0, value: 0 }));
  let worked = 0;
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    const [start, end] = [valueAt(sample.first, cluster), valueAt(sample.first, cluster + 1)];
    for (const sums of own) Object.assign(sums, { weight: 0, value: 0 });
    for (let index = start; index < end; index += 1) {
      const [value, sums] = [valueAt(values, index), own[valueAt(sample.arm, index)]];
      if (sums === undefined || Number.isNaN(value)) continue;
      const inverse = 1 / valueAt(sample.propensity, index);
      sums.weight += inverse;
      sums.value += inverse * value;
    }
    for (const [arm, sums] of arms.entries()) addCustomer(sums, own[arm]);
    worked += end - start;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
  return arms;
}

const emptySums = (): ArmSums => ({
  ...{ customers: 0, weight: 0, value: 0 },
  ...{ weightSquares: 0, products: 0, valueSquares: 0, meanSquares: 0 },
});

function addCustomer(
  sums: ArmSums,
  { weight, value }: { readonly weight: number; readonly value: number } = { weight: 0, value: 0 },
): void {
  if (weight === 0) return;
  sums.customers += 1;
  sums.weight += weight;
  sums.value += value;
  sums.weightSquares += weight ** 2;
  sums.products += weight * value;
  sums.valueSquares += value ** 2;
  sums.meanSquares += value ** 2 / weight;
}
