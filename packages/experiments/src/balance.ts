import type { Steps } from '@decision-ledger/contract/steps';
import { solveCholesky } from '@decision-ledger/numerics/cholesky';
import { chiSquareTail } from '@decision-ledger/numerics/distributions';
import { type Bands, WHOLE } from './bands.js';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';
import { type Stated, statedOf } from './stated.js';

export interface BalanceTest {
  readonly statistic: number;
  readonly degrees: number;
  readonly p: number;
  /** The arm and band that are farthest from what the propensities say. */
  readonly worst: Cell;
}

/** The decisions of a band, and those of them that are in an arm. */
export interface Cell {
  readonly arm: number;
  readonly band: number;
  readonly decisions: number;
  readonly inArm: number;
  /** Sum of 1 ÷ propensity of those in the arm: about `decisions` if the propensities are right. */
  readonly standFor: number;
}

/** Fewer decisions in an arm of a band, or outside the arm, are not tested: chance has no normal distribution there. */
const MIN_EXPECTED = 10;

/**
 * Whether the decisions of each band went to the arms as the propensities say. The sums of what is zero on average are compared
 * with their variance over customers, which is valid whether decisions or customers were assigned. A customer with n decisions
 * weighs √n: between what is best if each was assigned, and if the customer was. With one band, equal propensities and one
 * decision for each customer this is Pearson's test. With several, a trend over the bands is tested too, and the smaller p
 * value counts twice.
 * @returns null if there is nothing to test
 */
export function* testBalance(sample: Sample, bands: Bands): Steps<BalanceTest | null> {
  const stated = yield* statedOf(sample);
  const moments = yield* sumMoments(sample, bands, stated);
  const kept = moments.cells.flatMap((cell, place) => (isTested(cell) ? [{ cell, place }] : []));
  const each = kept.map(({ place }) => new Map([[place, 1]]));
  const all = testSums(moments, each);
  if (all === null) return null;
  const trend = bands.ends.length === 0 ? null : testSums(moments, trendsOf(kept));
  const worst = kept.reduce((a, b) => (deviationAt(moments, b) > deviationAt(moments, a) ? b : a));
  const p = trend === null ? all.p : Math.min(1, 2 * Math.min(all.p, trend.p));
  return { ...all, p, worst: worst.cell };
}

interface KeptCell {
  readonly cell: CountedCell;
  readonly place: number;
}

/** Weights of the sums at some places. */
type Weights = ReadonlyMap<number, number>;

/** For each arm, its bands by their distance from the mean band. */
function trendsOf(kept: readonly KeptCell[]): Weights[] {
  const arms = [...new Set(kept.map(({ cell }) => cell.arm))];
  return arms.map((arm) => {
    const own = kept.filter(({ cell }) => cell.arm === arm);
    const decisions = own.reduce((sum, { cell }) => sum + cell.decisions, 0);
    const mean = own.reduce((sum, { cell }) => sum + cell.decisions * cell.band, 0) / decisions;
    return new Map(own.map(({ cell, place }) => [place, cell.band - mean]));
  });
}

/** Chi-square test that weighted sums are zero; null if they do not vary. */
function testSums({ total, variance }: Moments, sums: readonly Weights[]) {
  const value = (weights: Weights) =>
    [...weights].reduce((sum, [place, weight]) => sum + weight * valueAt(total, place), 0);
  const covariance = (a: Weights, b: Weights) =>
    [...a].reduce(
      (sum, [row, weight]) =>
        [...b].reduce(
          (part, [column, other]) =>
            part + weight * other * valueAt(variance, row * total.length + column),
          sum,
        ),
      0,
    );
  const values = Float64Array.from(sums, value);
  const matrix = Float64Array.from(sums.flatMap((a) => sums.map((b) => covariance(a, b))));
  const solved = sums.length === 0 ? null : solveCholesky(matrix, values);
  if (solved === null) return null;
  const statistic = values.reduce((sum, one, place) => sum + one * valueAt(solved, place), 0);
  return { statistic, degrees: sums.length, p: chiSquareTail(statistic, sums.length) };
}

function deviationAt({ total, variance }: Moments, { place }: KeptCell): number {
  const own = valueAt(variance, place * total.length + place);
  return Math.abs(valueAt(total, place)) / Math.sqrt(own);
}

/** Whether the numbers of decisions in the arms agree with the propensities. */
export const testRatio = (sample: Sample): Steps<BalanceTest | null> => testBalance(sample, WHOLE);

interface CountedCell extends Cell {
  decisions: number;
  inArm: number;
  standFor: number;
  expected: number;
}

interface Moments {
  readonly cells: readonly CountedCell[];
  readonly total: Float64Array;
  readonly variance: Float64Array;
}

/** A cell for each band and each arm but the first, which follows from the others. */
function* sumMoments(sample: Sample, bands: Bands, stated: Stated): Steps<Moments> {
  const others = sample.arms - 1;
  const cells = Array.from({ length: (bands.ends.length + 1) * others }, (_, place) =>
    emptyCell(1 + (place % others), Math.floor(place / others)),
  );
  const total = new Float64Array(cells.length);
  const variance = new Float64Array(cells.length ** 2);
  let worked = 0;
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    const [start, end] = [valueAt(sample.first, cluster), valueAt(sample.first, cluster + 1)];
    const own = new Map<number, number>();
    for (let index = start; index < end; index += 1) {
      const band = bands.of(cluster, index);
      if (band === null) continue;
      const first = band * others;
      for (const [step, cell] of cells.slice(first, first + others).entries()) {
        count(cell, sample, index, stated);
        const place = first + step;
        const surplus = stated.surplus(index, cell.arm) / Math.sqrt(end - start);
        own.set(place, (own.get(place) ?? 0) + surplus);
      }
    }
    addSquares(own, total, variance);
    worked += end - start;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
  return { cells, total, variance };
}

const emptyCell = (arm: number, band: number): CountedCell => ({
  ...{ arm, band, decisions: 0, inArm: 0, standFor: 0, expected: 0 },
});

function count(cell: CountedCell, sample: Sample, index: number, stated: Stated): void {
  cell.decisions += 1;
  cell.expected += stated.probability(index, cell.arm);
  if (valueAt(sample.arm, index) !== cell.arm) return;
  cell.inArm += 1;
  cell.standFor += 1 / valueAt(sample.propensity, index);
}

function addSquares(
  own: ReadonlyMap<number, number>,
  total: Float64Array,
  variance: Float64Array,
): void {
  for (const [row, value] of own) {
    total[row] = valueAt(total, row) + value;
    for (const [column, other] of own) {
      const place = row * total.length + column;
      variance[place] = valueAt(variance, place) + value * other;
    }
  }
}

function isTested({ decisions, inArm, expected }: CountedCell): boolean {
  const inside = Math.max(inArm, expected);
  const outside = decisions - Math.min(inArm, expected);
  return inside >= MIN_EXPECTED && outside >= MIN_EXPECTED;
}
