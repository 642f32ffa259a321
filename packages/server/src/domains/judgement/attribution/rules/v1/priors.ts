/** The reviews of one pattern on one day. */
export interface ReviewCounts {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

/** The counts of a pattern and of the wider patterns that contain it. */
export interface PatternCounts {
  readonly all: readonly ReviewCounts[];
  /** Of the action type and the event type, for all agents. */
  readonly action: readonly ReviewCounts[];
  /** Of the action type, the event type and the agent. */
  readonly agent: readonly ReviewCounts[];
}

const HALF_LIFE_DAYS = 90;
/** Beta(1, 3): the prior before any review. */
const PRIOR = { confirmed: 1, rejected: 3 };
/** Weight of the wider pattern in the narrower one, in reviews. */
const PSEUDO_COUNTS = 4;

/**
 * The mean of the pattern's Beta distribution; the prior of each level is the mean of the wider one.
 * Counts are stored whole by day and decay when they are read, so that a withdrawn review leaves no
 * trace.
 * @param today days since the epoch
 */
export function patternMean({ all, action, agent }: PatternCounts, today: number): number {
  const whole = decayed(all, today);
  const confirmed = PRIOR.confirmed + whole.confirmed;
  const start = confirmed / (confirmed + PRIOR.rejected + whole.rejected);
  return [action, agent].reduce((mean, counts) => narrowed(mean, decayed(counts, today)), start);
}

function narrowed(mean: number, own: Omit<ReviewCounts, 'day'>): number {
  return (mean * PSEUDO_COUNTS + own.confirmed) / (PSEUDO_COUNTS + own.confirmed + own.rejected);
}

function decayed(counts: readonly ReviewCounts[], today: number): Omit<ReviewCounts, 'day'> {
  const sum = { confirmed: 0, rejected: 0 };
  for (const { day, confirmed, rejected } of counts) {
    const weight = 2 ** (-Math.max(0, today - day) / HALF_LIFE_DAYS);
    sum.confirmed += weight * confirmed;
    sum.rejected += weight * rejected;
  }
  return sum;
}
