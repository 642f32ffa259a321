/** Own experience with an action type: decisions old enough to tell, and those that cost money. */
export interface Experience {
  readonly decisions: number;
  readonly losses: number;
}

export interface LossRate {
  readonly rate: number;
  /** Of the rate, as the posterior of a Beta distribution. */
  readonly variance: number;
}

/** How many decisions the benchmark is worth. */
const CREDIBILITY = 200;
/** The share of the benchmark below which good experience brings no rate. */
const FLOOR = 0.5;

/** Credibility blend of own experience and benchmark (Bühlmann, 1967), a Beta-binomial posterior. */
export function lossRate({ decisions, losses }: Experience, benchmark: number): LossRate {
  const hits = CREDIBILITY * benchmark + losses;
  const total = CREDIBILITY + decisions;
  const rate = hits / total;
  return { rate, variance: (rate * (1 - rate)) / (total + 1) };
}

/** Odds multiply; a probability stays one. */
export function adjustOdds(probability: number, factor: number): number {
  const odds = (probability / (1 - probability)) * factor;
  return Number.isFinite(odds) ? odds / (1 + odds) : 1;
}

export function withFloor(probability: number, benchmark: number): number {
  return Math.max(probability, FLOOR * benchmark);
}
