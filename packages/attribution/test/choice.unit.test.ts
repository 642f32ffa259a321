import { finish } from '@decision-ledger/contract/steps';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChoiceSet,
  fitWeights,
  penalisedLikelihood,
  type Ridge,
} from '#attribution/choice-model';

const value = fc.double({ min: -3, max: 3, noNaN: true });

/** Choices of one answer each among some options of three features. */
const choices: fc.Arbitrary<ChoiceSet[]> = fc.array(
  fc
    .record({
      options: fc.array(fc.record({ values: fc.tuple(value, value, value), offset: value }), {
        minLength: 2,
        maxLength: 6,
      }),
      answer: fc.nat(5),
      weight: fc.double({ min: 0.1, max: 2, noNaN: true }),
    })
    .map(({ options, answer, weight }) => ({
      weight,
      options: options.map((option, at) => ({
        ...option,
        isPossible: at === answer % options.length,
      })),
    })),
  { maxLength: 12 },
);

const RIDGE: Ridge = { means: [0.5, -1, 0], precisions: [1, 2, 0.5] };

/** Written again from the definition: the log of the probability of the answers, less the penalty. */
function likelihood(sets: readonly ChoiceSet[], weights: readonly number[]): number {
  const [a = 0, b = 0, c = 0] = weights;
  let sum = -((a - 0.5) ** 2) / 2 - (b + 1) ** 2 - c ** 2 / 4;
  for (const { options, weight } of sets) {
    const odds = options.map(({ values: [x = 0, y = 0, z = 0], offset }) =>
      Math.exp(a * x + b * y + c * z + offset),
    );
    const answer = options.findIndex(({ isPossible }) => isPossible);
    sum += weight * Math.log((odds[answer] ?? 0) / odds.reduce((all, one) => all + one, 0));
  }
  return sum;
}

/** An independent optimiser: it climbs by numeric slopes, and halves its step where it fails. */
function climb(sets: readonly ChoiceSet[]): number[] {
  let weights = [...RIDGE.means];
  let step = 0.2;
  while (step > 1e-9) {
    const here = likelihood(sets, weights);
    const slopes = weights.map((_, at) => {
      const moved = (by: number) => weights.map((weight, k) => weight + (k === at ? by : 0));
      return (likelihood(sets, moved(1e-6)) - likelihood(sets, moved(-1e-6))) / 2e-6;
    });
    const size = Math.hypot(...slopes);
    if (size < 1e-7) break;
    const next = weights.map(
      (weight, at) => weight + (step * (slopes[at] ?? 0)) / Math.max(1, size),
    );
    if (likelihood(sets, next) > here) {
      weights = next;
      step *= 1.5;
    } else step /= 2;
  }
  return weights;
}

describe('The learner of weights', () => {
  it('Reaches the maximum that an independent optimiser finds', () => {
    fc.assert(
      fc.property(choices, (sets) => {
        const fitted = likelihood(sets, finish(fitWeights(sets, RIDGE)));
        expect(fitted).toBeGreaterThanOrEqual(likelihood(sets, climb(sets)) - 1e-5);
      }),
      { numRuns: 40 },
    );
  });

  it('States the likelihood of its definition', () => {
    fc.assert(
      fc.property(choices, fc.tuple(value, value, value), (sets, weights) => {
        expect(finish(penalisedLikelihood(sets, RIDGE, weights))).toBeCloseTo(
          likelihood(sets, weights),
          6,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('Stays at the priors without any answer', () => {
    expect(finish(fitWeights([], RIDGE))).toEqual(RIDGE.means);
  });

  it('Gives exactly the same weights again', () => {
    fc.assert(
      fc.property(choices, (sets) => {
        expect(finish(fitWeights(sets, RIDGE))).toEqual(
          finish(fitWeights(structuredClone(sets), RIDGE)),
        );
      }),
      { numRuns: 20 },
    );
  });
});
