/** Makes a share what it claims to be: σ(slope · logit(share) + intercept). */
export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
}

export const UNCALIBRATED: Calibration = { slope: 1, intercept: 0 };

/** A suggestion that a person judged. */
export interface Judged {
  /** Of the share before any calibration. */
  readonly logit: number;
  readonly isConfirmed: boolean;
}

const FEWEST_REVIEWS = 60;
const FEWEST_OF_EACH = 10;
/** How strongly the fit is drawn to the identity, in units of reviews. */
const PULL = 4;
const ROUNDS = 50;
const CLOSE_ENOUGH = 1e-9;

/**
 * Platt scaling (Platt, 1999) with smoothed targets, shrunk towards the identity. With few reviews,
 * or hardly any of one kind, it stays the identity.
 */
export function fitCalibration(judged: readonly Judged[]): Calibration {
  const confirmed = judged.filter(({ isConfirmed }) => isConfirmed).length;
  const rejected = judged.length - confirmed;
  if (judged.length < FEWEST_REVIEWS || Math.min(confirmed, rejected) < FEWEST_OF_EACH) {
    return UNCALIBRATED;
  }
  const high = (confirmed + 1) / (confirmed + 2);
  const low = 1 / (rejected + 2);
  const points = judged.map(({ logit, isConfirmed }) => ({
    logit,
    target: isConfirmed ? high : low,
  }));
  let fit = UNCALIBRATED;
  for (let round = 0; round < ROUNDS; round++) {
    const next = newtonStep(points, fit);
    const change = Math.abs(next.slope - fit.slope) + Math.abs(next.intercept - fit.intercept);
    fit = next;
    if (change < CLOSE_ENOUGH) break;
  }
  return fit;
}

interface Point {
  readonly logit: number;
  readonly target: number;
}

function newtonStep(points: readonly Point[], { slope, intercept }: Calibration): Calibration {
  let [gradSlope, gradIntercept] = [PULL * (slope - 1), PULL * intercept];
  let [ss, si, ii] = [PULL, 0, PULL];
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
    // A greater raw share never becomes the smaller one.
    slope: Math.max(0.05, slope - (ii * gradSlope - si * gradIntercept) / determinant),
    intercept: intercept - (ss * gradIntercept - si * gradSlope) / determinant,
  };
}

const FURTHEST = 30;

/** @param share 0 to 1 */
export function logitOf(share: number): number {
  // Rounding can make a share a little more than all.
  const logit = Math.log(share / Math.max(0, 1 - share));
  return Math.max(-FURTHEST, Math.min(FURTHEST, logit));
}

/**
 * Calibrated shares of one event; together at most `left`. The fit knows suggestions alone: what is
 * weaker than that it may lower, but not raise, or a crowd of weak candidates would crowd out the
 * strong one.
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
