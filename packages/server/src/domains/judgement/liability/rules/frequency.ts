/** Number of decisions, and of those that cost money. */
export interface Tally {
  readonly decisions: number;
  readonly losses: number;
}

/** A loss rate: a Beta distribution and its mean. */
export interface LossRate {
  readonly alpha: number;
  readonly beta: number;
  readonly rate: number;
}

/**
 * Credibility blend (Bühlmann, 1967) of own outcomes and an expected rate: the posterior of a
 * Beta-binomial model whose prior is worth `credibility` decisions.
 */
export function lossRate(
  { decisions, losses }: Tally,
  expected: number,
  credibility: number,
): LossRate {
  const alpha = credibility * expected + losses;
  const beta = credibility * (1 - expected) + decisions - losses;
  return { alpha, beta, rate: alpha / (credibility + decisions) };
}

/** Variance of a loss rate ÷ its square. */
export function relativeVariance({ alpha, beta, rate }: LossRate): number {
  return (1 - rate) / (rate * (alpha + beta + 1));
}

export function totalOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, { decisions, losses }) => ({
      decisions: sum.decisions + decisions,
      losses: sum.losses + losses,
    }),
    { decisions: 0, losses: 0 },
  );
}

/** Odds of a probability; finite even if rounding made it 1. */
export function oddsOf(probability: number): number {
  return probability / Math.max(1 - probability, Number.EPSILON);
}

/**
 * The probability whose odds are `factor` times those of the given one. In this form, rounding keeps it
 * monotone in the factor.
 */
export function adjustOdds(probability: number, factor: number): number {
  return 1 / (1 + 1 / (oddsOf(probability) * factor));
}
