import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Calibration,
  calibrateShares,
  fitCalibration,
  logitOf,
  type Reviewed,
  UNCALIBRATED,
} from '#server/domains/judgement/attribution/rules/v1/calibrate';

const judged = fc.record({
  logit: fc.double({ min: -30, max: 30, noNaN: true }),
  isConfirmed: fc.boolean(),
});
const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

/** Reviews whose truth follows a skewed curve exactly: each logit with its exact rate. */
function skewed(slope: number, intercept: number, size: number): Reviewed[] {
  return Array.from({ length: size }, (_, at) => {
    const logit = -3 + (6 * (at % 20)) / 19;
    const rate = sigmoid(slope * logit + intercept);
    const place = (Math.floor(at / 20) + 0.5) / Math.ceil(size / 20);
    return { logit, isConfirmed: place < rate };
  });
}

function logLoss(reviews: readonly Reviewed[], { slope, intercept }: Calibration): number {
  const losses = reviews.map(({ logit, isConfirmed }) => {
    const p = sigmoid(slope * logit + intercept);
    return -Math.log(isConfirmed ? p : 1 - p);
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

describe('Calibration', () => {
  it('Calibration is the identity below 60 reviews', () => {
    fc.assert(
      fc.property(fc.array(judged, { maxLength: 59 }), (reviews) => {
        expect(fitCalibration(reviews)).toEqual(UNCALIBRATED);
      }),
    );
  });

  it('Calibration is the identity with fewer than 10 reviews of a kind, and starts with the tenth', () => {
    for (const isRare of [true, false]) {
      const make = (rare: number) =>
        Array.from({ length: 200 }, (_, at) => ({
          logit: 1,
          isConfirmed: at < rare ? isRare : !isRare,
        }));
      expect(fitCalibration(make(9))).toEqual(UNCALIBRATED);
      expect(fitCalibration(make(10))).not.toEqual(UNCALIBRATED);
    }
  });

  it('Calibration does not depend on the order of the reviews, except for rounding', () => {
    const reviews = skewed(0.6, -1, 200);
    const [a, b] = [fitCalibration(reviews), fitCalibration([...reviews].reverse())];
    expect(a.slope).toBeCloseTo(b.slope, 6);
    expect(a.intercept).toBeCloseTo(b.intercept, 6);
  });

  it('Calibration is finite and monotone for arbitrary reviews', () => {
    fc.assert(
      fc.property(fc.array(judged, { minLength: 60, maxLength: 300 }), (reviews) => {
        const { slope, intercept } = fitCalibration(reviews);
        expect(Number.isFinite(intercept)).toBe(true);
        expect(slope).toBeGreaterThanOrEqual(0.05);
      }),
    );
  });

  it('Calibration stays near the identity if the shares are already right', () => {
    const { slope, intercept } = fitCalibration(skewed(1, 0, 600));
    expect(slope).toBeCloseTo(1, 1);
    expect(intercept).toBeCloseTo(0, 1);
  });

  it.for([
    { slope: 0.4, intercept: -1.5 },
    { slope: 1, intercept: 1.2 },
    { slope: 2, intercept: -0.5 },
    { slope: 0.7, intercept: 2 },
  ])(
    'Calibration lowers the log-loss on reviews with slope $slope and intercept $intercept',
    (truth) => {
      const fit = fitCalibration(skewed(truth.slope, truth.intercept, 120));
      const fresh = skewed(truth.slope, truth.intercept, 2000);
      expect(logLoss(fresh, fit)).toBeLessThan(logLoss(fresh, UNCALIBRATED));
      expect(logLoss(fresh, fit)).toBeLessThan(logLoss(fresh, truth) + 0.02);
    },
  );

  it('The identity leaves shares unchanged', () => {
    expect(calibrateShares([0.5, 0.2], 0.9, UNCALIBRATED)).toEqual([0.5, 0.2]);
  });

  it('Calibration applies to the part of the remaining share, as computed by hand', () => {
    // 0.25 of 0.5 is even odds; an intercept of ln 3 makes them 3 to 1.
    const [share] = calibrateShares([0.25], 0.5, { slope: 1, intercept: Math.log(3) });
    expect(share).toBeCloseTo(0.375, 12);
    expect(calibrateShares([0], 0, { slope: 1, intercept: 3 })).toEqual([0]);
  });

  it.for([0, 1, 1 + 2 ** -52, 0.5])('A share of %d has a finite logit', (share) => {
    expect(Number.isFinite(logitOf(share))).toBe(true);
  });
});
