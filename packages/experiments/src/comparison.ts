import type { Covariate } from '@decision-ledger/contract/experiment';
import type { Steps } from '@decision-ledger/contract/steps';
import { type Estimates, estimateEffects } from './estimate.js';
import { fitPredictions } from './regression.js';
import type { Sample } from './sample.js';
import type { ArmTally } from './tally.js';

/** With fewer customers in an arm, a regression on covariates adds more noise than it takes away. */
const MIN_ADJUSTED_CUSTOMERS = 30;

/** A covariate with a value for each customer. */
export interface CovariateColumn {
  readonly name: Covariate;
  readonly values: Float64Array;
}

/** The arms of an experiment, compared. */
export interface ArmComparison {
  readonly plain: Estimates;
  /** Null if the covariates were not used. */
  readonly adjusted: Estimates | null;
  readonly covariates: readonly Covariate[];
}

/** Whether the arms have enough customers for covariates. */
export function canAdjust(tallies: readonly ArmTally[]): boolean {
  return tallies.every(({ customers }) => customers >= MIN_ADJUSTED_CUSTOMERS);
}

/** @param comparison place of the comparison arm */
export function* compareArms(
  sample: Sample,
  comparison: number,
  covariates: readonly CovariateColumn[],
): Steps<ArmComparison> {
  const used = covariates.filter(({ values }) => values.some((value) => value !== values[0]));
  const columns = used.map(({ values }) => values);
  const predict = used.length === 0 ? null : yield* fitPredictions(sample, columns);
  const plain = yield* estimateEffects(sample, comparison, null);
  const adjusted = predict === null ? null : yield* estimateEffects(sample, comparison, predict);
  const names = predict === null ? [] : used.map(({ name }) => name);
  return { plain, adjusted, covariates: names };
}
