/** Number of decisions, and of those that cost money. */
export interface Tally {
  readonly decisions: number;
  readonly losses: number;
}

/** A Beta distribution of a loss rate. */
export interface Beta {
  readonly alpha: number;
  readonly beta: number;
}

export const meanOf = ({ alpha, beta }: Beta): number => alpha / (alpha + beta);

/** Variance of a loss rate ÷ its square. */
export function relativeVariance({ alpha, beta }: Beta): number {
  return beta / (alpha * (alpha + beta + 1));
}

/**
 * The number of decisions that a rate is worth as a prior, if rates around it have this relative variance:
 * the size of the Beta distribution with that mean and variance.
 */
export function sizeOf(rate: number, spread: number): number {
  return Math.max(MIN_SIZE, (1 - rate) / (rate * spread) - 1);
}

const MIN_SIZE = 0.01;

/** The posterior of a Beta distribution with a mean and a size, after these outcomes. */
export function updated(mean: number, size: number, { decisions, losses }: Tally): Beta {
  return {
    alpha: size * mean + losses,
    beta: size * (1 - mean) + Math.max(0, decisions - losses),
  };
}

export function totalOf(tallies: readonly Tally[]): Tally {
  let [decisions, losses] = [0, 0];
  for (const tally of tallies) {
    decisions += tally.decisions;
    losses += tally.losses;
  }
  return { decisions, losses };
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
