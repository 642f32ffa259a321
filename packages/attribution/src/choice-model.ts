import type { Steps } from '@decision-ledger/contract/steps';
import { solveCholesky } from '@decision-ledger/numerics/cholesky';

/** An option of a choice: a candidate, or "none". */
export interface Option {
  /** The features whose weights are learned. */
  readonly values: readonly number[];
  /** The sum of the features whose weights are fixed. */
  readonly offset: number;
  /** Whether it may be the answer. */
  readonly isPossible: boolean;
}

/** One answered choice. */
export interface ChoiceSet {
  readonly options: readonly Option[];
  /** How much it counts. */
  readonly weight: number;
}

/** Normal priors of the weights. */
export interface Ridge {
  readonly means: readonly number[];
  /** Inverse variances. */
  readonly precisions: readonly number[];
}

const STEPS = 8;
/** Choices that are worked through before a calculation pauses. */
export const STEP_CHOICES = 64;
const HALVINGS = 6;

/**
 * Weights of a conditional logit (McFadden, 1974) by ridge-penalised maximum likelihood: Newton's method
 * with a fixed number of steps in a fixed order. A step that lowers the likelihood is halved.
 */
export function* fitWeights(sets: readonly ChoiceSet[], ridge: Ridge): Steps<number[]> {
  let weights = [...ridge.means];
  let value = yield* penalisedLikelihood(sets, ridge, weights);
  for (let step = 0; step < STEPS; step++) {
    const change = yield* newtonStep(sets, ridge, weights);
    let size = 1;
    for (let halving = 0; halving <= HALVINGS; halving++) {
      const next = weights.map((weight, at) => weight + size * (change[at] ?? 0));
      const nextValue = yield* penalisedLikelihood(sets, ridge, next);
      if (nextValue >= value) {
        weights = next;
        value = nextValue;
        break;
      }
      size /= 2;
    }
  }
  return weights;
}

export function* penalisedLikelihood(
  sets: readonly ChoiceSet[],
  { means, precisions }: Ridge,
  weights: readonly number[],
): Steps<number> {
  const penalty = weights.reduce(
    (sum, weight, at) => sum + ((precisions[at] ?? 0) * (weight - (means[at] ?? 0)) ** 2) / 2,
    0,
  );
  let sum = -penalty;
  for (const [at, set] of sets.entries()) {
    const { possible } = probabilitiesOf(set, weights);
    sum += set.weight * Math.log(Math.max(possible, Number.MIN_VALUE));
    if (at % STEP_CHOICES === 0) yield;
  }
  return sum;
}

/** The probability of each option, and of those together that may be the answer. */
export function probabilitiesOf(
  { options }: ChoiceSet,
  weights: readonly number[],
): { readonly of: readonly number[]; readonly possible: number } {
  const utilities = options.map(({ values, offset }) =>
    values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), offset),
  );
  const top = Math.max(...utilities);
  const odds = utilities.map((utility) => Math.exp(utility - top));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const of = odds.map((value) => value / total);
  const possible = of.reduce(
    (sum, value, at) => sum + (options[at]?.isPossible === true ? value : 0),
    0,
  );
  return { of, possible };
}

function* newtonStep(
  sets: readonly ChoiceSet[],
  { means, precisions }: Ridge,
  weights: readonly number[],
): Steps<Float64Array> {
  const size = weights.length;
  const gradient = Float64Array.from(
    weights,
    (weight, at) => -(precisions[at] ?? 0) * (weight - (means[at] ?? 0)),
  );
  const curvature = new Float64Array(size * size);
  for (const [at, precision] of precisions.entries()) curvature[at * size + at] = precision;
  for (const [at, set] of sets.entries()) {
    addChoice(set, weights, { gradient, curvature });
    if (at % STEP_CHOICES === 0) yield;
  }
  // The priors keep it positive definite; without that the weights stay.
  return solveCholesky(curvature, gradient) ?? new Float64Array(size);
}

/**
 * Adds the gradient of the log-likelihood, and as curvature the covariance of the features over all
 * options: that of the possible ones is left out, so that the matrix stays positive definite.
 */
function addChoice(
  set: ChoiceSet,
  weights: readonly number[],
  { gradient, curvature }: { gradient: Float64Array; curvature: Float64Array },
): void {
  const size = weights.length;
  const { of, possible } = probabilitiesOf(set, weights);
  const expected = new Array<number>(size).fill(0);
  const answered = new Array<number>(size).fill(0);
  set.options.forEach(({ values, isPossible }, at) => {
    const probability = of[at] ?? 0;
    for (let place = 0; place < size; place++) {
      const value = values[place] ?? 0;
      expected[place] = (expected[place] ?? 0) + probability * value;
      if (isPossible && possible > 0) {
        answered[place] = (answered[place] ?? 0) + (probability / possible) * value;
      }
    }
  });
  for (let place = 0; place < size; place++) {
    const difference = (answered[place] ?? 0) - (expected[place] ?? 0);
    gradient[place] = (gradient[place] ?? 0) + set.weight * difference;
  }
  set.options.forEach(({ values }, at) => {
    const weight = set.weight * (of[at] ?? 0);
    addCovariance(curvature, values, expected, weight);
  });
}

function addCovariance(
  curvature: Float64Array,
  values: readonly number[],
  expected: readonly number[],
  weight: number,
): void {
  const centred = expected.map((mean, place) => (values[place] ?? 0) - mean);
  centred.forEach((one, place) => {
    if (one === 0) return;
    const row = place * centred.length;
    centred.forEach((other, column) => {
      curvature[row + column] = (curvature[row + column] ?? 0) + weight * one * other;
    });
  });
}
