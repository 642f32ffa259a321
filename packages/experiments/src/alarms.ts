import type { Covariate } from '@decision-ledger/contract/experiment';
import type { Steps } from '@decision-ledger/contract/steps';
import { type BalanceTest, testBalance, testRatio } from './balance.js';
import { type Bands, bandsOfCustomers, bandsOfDecisions } from './bands.js';
import type { CovariateColumn } from './comparison.js';
import { type MeansTest, testEqualMeans } from './coverage.js';
import { type Sample, valueAt } from './sample.js';
import { statedOf } from './stated.js';

/** Below the first p value a comparison is doubtful, below the second one it is refused. */
export const LEVELS = { weak: 0.01, strong: 0.001 } as const;

/** Less may be missing in one arm than in another one without a refusal: a large sample finds any difference. */
const MATERIAL = 0.05;

/** A propensity that is rounded in one arm and its complement in the other one may differ by so much. */
const ROUNDED = 0.0101;

/** What is known before an assignment, and divides the decisions into bands. */
export type Known = 'propensity' | 'time' | Covariate;

/** Decisions that did not go to the arms as the propensities say, where something known had a certain value. */
export interface Imbalance {
  readonly known: Known;
  readonly ends: readonly number[];
  readonly test: BalanceTest;
}

/** What of the events that point at an arm counts, if that differs between the arms. */
export interface UnequalCoverage extends MeansTest {
  readonly isStrong: boolean;
}

/** The share of decisions with linked money, if it differs between the arms. */
export interface UnequalShares extends MeansTest {
  /** So many decisions more would have to have money for half of the difference to go. */
  readonly gap: number;
}

export interface Alarms {
  /** Of all decisions, whether or not it is an alarm. */
  readonly ratio: BalanceTest | null;
  /** The most certain one. */
  readonly imbalance: Imbalance | null;
  readonly coverage: UnequalCoverage | null;
  /** Either an effect of the arms, or of links that are missing. */
  readonly shares: UnequalShares | null;
}

/** Looks for what makes a comparison wrong whatever its interval says. */
export function* findAlarms(sample: Sample, covariates: readonly CovariateColumn[]): Steps<Alarms> {
  return {
    ratio: yield* testRatio(sample),
    imbalance: yield* findImbalance(sample, covariates),
    coverage: yield* findUnequalCoverage(sample),
    shares: yield* findUnequalShares(sample),
  };
}

function* findImbalance(
  sample: Sample,
  covariates: readonly CovariateColumn[],
): Steps<Imbalance | null> {
  const found: Imbalance[] = [];
  for (const [known, bands] of yield* bandsByKnown(sample, covariates)) {
    const test = bands === null ? null : yield* testBalance(sample, bands);
    if (bands !== null && test !== null && test.p < LEVELS.weak) {
      found.push({ known, ends: bands.ends, test });
    }
  }
  return found.sort((a, b) => a.test.p - b.test.p).at(0) ?? null;
}

function* bandsByKnown(
  sample: Sample,
  covariates: readonly CovariateColumn[],
): Steps<[Known, Bands | null][]> {
  const { probability } = yield* statedOf(sample);
  // With more arms, the propensity of one arm is known of its own decisions only.
  const propensity =
    sample.arms === 2 ? bandsOfDecisions(sample, (index) => probability(index, 1), ROUNDED) : null;
  return [
    ['propensity', propensity],
    ['time', bandsOfDecisions(sample, (index) => valueAt(sample.time, index))],
    ...covariates.map(({ name, values }): [Known, Bands | null] => [
      name,
      bandsOfCustomers(sample, values),
    ]),
  ];
}

function* findUnequalCoverage(sample: Sample): Steps<UnequalCoverage | null> {
  const test = yield* testEqualMeans(sample, sample.covered);
  if (test === null || test.p >= LEVELS.weak) return null;
  const difference = Math.max(...test.means) - Math.min(...test.means);
  return { ...test, isStrong: test.p < LEVELS.strong && difference > MATERIAL };
}

function* findUnequalShares(sample: Sample): Steps<UnequalShares | null> {
  const isLinked = sample.covered.map((share) => (share > 0 ? 1 : 0));
  const test = yield* testEqualMeans(sample, isLinked);
  if (test === null || test.p >= LEVELS.weak) return null;
  const most = Math.max(...test.means);
  let gap = 0;
  for (const arm of sample.arm) gap += (most - (test.means[arm] ?? most)) / 2;
  return { ...test, gap };
}
