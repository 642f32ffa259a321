import type { SizeOutcomes } from './experience.js';
import { type LossTally, totalOf } from './rates.js';
import { type Curve, ratioCurve } from './ratio-curve.js';

/** A band of amounts reaches from a power of it to the next one. */
export const SIZE_BASE = 4;

/** Outcomes by band of the stated amount; null if none is stated. */
export type SizeTallies = Map<number | null, LossTally>;

export function addSize(tallies: SizeTallies, band: number | null, more: LossTally): void {
  tallies.set(band, totalOf([tallies.get(band) ?? { decisions: 0, losses: 0 }, more]));
}

const ROUNDS = 8;

/**
 * Outcomes by amount, over all versions. What is expected of a band are the losses at the rates of its versions without the
 * effect of amounts, so that a version which loses often and has large amounts does not make large amounts risky. The
 * rates and the effect follow from each other, in a few rounds.
 */
export function learnSizes(versions: readonly SizeTallies[]): SizeOutcomes[] {
  let sizes = sumSizes(versions, () => 1);
  for (let round = 0; round < ROUNDS; round += 1) sizes = sumSizes(versions, sizeCurve(sizes));
  return sizes;
}

function sumSizes(versions: readonly SizeTallies[], curve: Curve): SizeOutcomes[] {
  const bands = new Map<number, SizeOutcomes>();
  for (const tallies of versions) {
    const stated = new Map([...tallies].filter(([band]) => band !== null));
    const { decisions, losses } = totalOf([...stated.values()]);
    const rate = decisions === 0 ? 0 : losses / (decisions * meanFactor(curve, stated));
    for (const [band, tally] of stated) {
      if (band === null) continue;
      const before = bands.get(band) ?? { band, decisions: 0, losses: 0, expected: 0 };
      const expected = before.expected + tally.decisions * rate;
      bands.set(band, { band, ...totalOf([before, tally]), expected });
    }
  }
  return [...bands.values()].sort((a, b) => a.band - b.band);
}

/** Neighbouring bands tell a little of each other; few losses tell little. */
const SMOOTHING = { width: 0.5, credibility: 4 };

/** The factor of an amount on the odds of a loss: one for each band. */
export function sizeCurve(sizes: readonly SizeOutcomes[]): Curve {
  const [first, last] = [sizes.at(0), sizes.at(-1)];
  if (first === undefined || last === undefined || first === last) return () => 1;
  const points = sizes.map(({ band, losses, expected }) => ({ at: band, losses, expected }));
  const axis = { from: first.band, to: last.band, steps: last.band - first.band, ...SMOOTHING };
  const curve = ratioCurve(points, axis);
  return (amount) => curve(Math.floor(Math.log(amount) / Math.log(SIZE_BASE)));
}

/** The mean factor of the decisions of a version. */
export function meanFactor(curve: Curve, tallies: SizeTallies): number {
  let [sum, decisions] = [0, 0];
  for (const [band, tally] of tallies) {
    decisions += tally.decisions;
    sum += tally.decisions * (band === null ? 1 : curve(SIZE_BASE ** (band + 0.5)));
  }
  return decisions === 0 ? 1 : sum / decisions;
}
