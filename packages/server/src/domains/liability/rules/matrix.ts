/** Likelihood of a loss by the words of a risk matrix; illustrative. */
export const LIKELIHOODS = {
  rare: 0.0005,
  unlikely: 0.002,
  possible: 0.01,
  likely: 0.05,
  'near-certain': 0.2,
} as const;

/** Amount at risk by the words of a risk matrix, in the base currency; illustrative. */
export const SEVERITIES = {
  minor: 100,
  moderate: 1_000,
  serious: 10_000,
  major: 100_000,
  critical: 1_000_000,
} as const;

export interface Cell {
  readonly likelihood: keyof typeof LIKELIHOODS;
  readonly severity: keyof typeof SEVERITIES;
}

/** Of action types that the settings do not place. */
export const DEFAULT_CELL: Cell = { likelihood: 'possible', severity: 'moderate' };
