/** Calibrates a share: σ(slope · logit(share) + intercept). */
export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
}

export const UNCALIBRATED: Calibration = { slope: 1, intercept: 0 };

/** A suggestion that a person reviewed. */
export interface Reviewed {
  /** Log-odds of the share before calibration. */
  readonly logit: number;
  readonly isConfirmed: boolean;
}

const MIN_REVIEWS = 60;
const MIN_OF_EACH = 10;
/** Strength of the shrinkage towards the identity, in reviews. */
const SHRINKAGE = 4;
const MAX_ITERATIONS = 50;
const TOLERANCE = 1e-9;

/**
 * Platt scaling (Platt, 1999) with smoothed targets, shrunk towards the identity. With too few
 * reviews, or too few of one verdict, it is the identity.
 */
export function fitCalibration(judged: readonly Reviewed[]): Calibration {
  const confirmed = judged.filter(({ isConfirmed }) => isConfirmed).length;
  const rejected = judged.length - confirmed;
  if (judged.length < MIN_REVIEWS || Math.min(confirmed, rejected) < MIN_OF_EACH) {
    return UNCALIBRATED;
  }
  const high = (confirmed + 1) / (confirmed + 2);
  const low = 1 / (rejected + 2);
  const points = judged.map(({ logit, isConfirmed }) => ({
    logit,
    target: isConfirmed ? high : low,
  }));
  let fit = UNCALIBRATED;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const next = newtonStep(points, fit);
    const change = Math.abs(next.slope - fit.slope) + Math.abs(next.intercept - fit.intercept);
    fit = next;
    if (change < TOLERANCE) break;
  }
  return fit;
}

interface Point {
  readonly logit: number;
  readonly target: number;
}

function newtonStep(points: readonly Point[], { slope, intercept }: Calibration): Calibration {
  let [gradSlope, gradIntercept] = [SHRINKAGE * (slope - 1), SHRINKAGE * intercept];
  let [ss, si, ii] = [SHRINKAGE, 0, SHRINKAGE];
  for (const { logit, target } of points) {
    const p = 1 / (1 + Math.exp(-(slope * logit + intercept)));
    const weight = Math.max(p * (1 - p), 1e-6);
    gradSlope += (p - target) * logit;
    gradIntercept += p - target;
    ss += weight * logit * logit;
    si += weight * logit;
    ii += weight;
  }
  const determinant = ss * ii - si * si;
  return {
    // The slope is positive, so that calibration keeps the order of shares.
    slope: Math.max(0.05, slope - (ii * gradSlope - si * gradIntercept) / determinant),
    intercept: intercept - (ss * gradIntercept - si * gradSlope) / determinant,
  };
}

const MAX_LOGIT = 30;

/** @param share 0 to 1 */
export function logitOf(share: number): number {
  // Rounding can make a share slightly greater than 1.
  const logit = Math.log(share / Math.max(0, 1 - share));
  return Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, logit));
}

/**
 * Calibrates the shares of one event; their sum is at most `left`. A share below one half is only
 * lowered: the fit is based on suggestions, and would let many weak candidates outweigh a strong one.
 */
export function calibrateShares(
  shares: readonly number[],
  left: number,
  { slope, intercept }: Calibration,
): number[] {
  if (left === 0 || (slope === 1 && intercept === 0)) return [...shares];
  const calibrated = shares.map((share) => {
    const fitted = left / (1 + Math.exp(-(slope * logitOf(share / left) + intercept)));
    return share < left / 2 ? Math.min(share, fitted) : fitted;
  });
  const total = calibrated.reduce((sum, share) => sum + share, 0);
  return total > left ? calibrated.map((share) => (share * left) / total) : calibrated;
}
