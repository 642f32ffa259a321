/** What reviews said of one pattern on one day. */
export interface ReviewCounts {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

/** The counts of a pattern, and of the wider patterns that it belongs to. */
export interface PatternCounts {
  readonly all: readonly ReviewCounts[];
  /** Of the action type and the event type, whichever agent. */
  readonly action: readonly ReviewCounts[];
  /** Of the agent too. */
  readonly agent: readonly ReviewCounts[];
}

const HALF_LIFE_DAYS = 90;
/** Beta(1, 3): what is believed before any review. */
const START = { confirmed: 1, rejected: 3 };
/** How many reviews the wider pattern is worth to the narrower. */
const PSEUDO_COUNTS = 4;

/**
 * The mean of the pattern's Beta distribution: each level starts at the mean of the wider one.
 * Counts are whole and kept by day, and fade only as they are read, so that taking a review back
 * leaves exactly what was there before it.
 * @param today days since the epoch
 */
export function patternMean({ all, action, agent }: PatternCounts, today: number): number {
  const whole = faded(all, today);
  const confirmed = START.confirmed + whole.confirmed;
  const start = confirmed / (confirmed + START.rejected + whole.rejected);
  return [action, agent].reduce((mean, counts) => narrowed(mean, faded(counts, today)), start);
}

function narrowed(mean: number, own: Omit<ReviewCounts, 'day'>): number {
  return (mean * PSEUDO_COUNTS + own.confirmed) / (PSEUDO_COUNTS + own.confirmed + own.rejected);
}

function faded(counts: readonly ReviewCounts[], today: number): Omit<ReviewCounts, 'day'> {
  const sum = { confirmed: 0, rejected: 0 };
  for (const { day, confirmed, rejected } of counts) {
    const weight = 2 ** (-Math.max(0, today - day) / HALF_LIFE_DAYS);
    sum.confirmed += weight * confirmed;
    sum.rejected += weight * rejected;
  }
  return sum;
}
