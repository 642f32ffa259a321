import { sumBy } from './proportions.js';

/** Upper ends of the bins of delays, in hours; the last bin has none. */
export const LAG_ENDS = [1, 6, 24, 72, 168, 720];
/** Upper ends of the bins of the greatest share of an event; the last bin has none. */
export const SHARE_ENDS = [0.05, 0.2, 0.35, 0.5, 0.8, 0.95];

export const DRIFT_METRICS = ['identifier_coverage', 'lag', 'share'] as const;
export type DriftMetric = (typeof DRIFT_METRICS)[number];

/** Scored events of a month, by what drift is looked for in. */
export interface ScoredCount {
  /** `2026-04`. */
  readonly month: string;
  readonly shares_identifier: boolean;
  /** The number of ends that the delay has reached; null without a suggestion. */
  readonly lag_bin: number | null;
  readonly share_bin: number;
  readonly events: number;
}

/** How a distribution differs from that of the months before. */
export interface Stability {
  readonly metric: DriftMetric;
  /** Population stability index; null with too few events. */
  readonly index: number | null;
  readonly state: 'stable' | 'moved' | 'drifted' | 'too_few_events';
  readonly events: number;
  readonly reference_events: number;
  /** Share of each bin. */
  readonly shares: readonly number[];
  readonly reference_shares: readonly number[];
}

/** Usual limits of the index: below the first nothing moved, above the second it did. */
const MOVED = 0.1;
export const DRIFTED = 0.25;
/** Fewer events differ by chance. */
const LEAST_EVENTS = 200;
/** Months before a month that it is compared with. */
const REFERENCE_MONTHS = 3;

/** The months (`2026-01`) that a month is compared with, oldest first. */
export function referenceMonths(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return Array.from({ length: REFERENCE_MONTHS }, (_none, index) =>
    new Date(Date.UTC(year, number - 1 - REFERENCE_MONTHS + index, 1)).toISOString().slice(0, 7),
  );
}

/** How the events of a month differ from those of the months before it. */
export function stabilityOf(month: string, counts: readonly ScoredCount[]): Stability[] {
  const before = new Set(referenceMonths(month));
  const own = counts.filter((count) => count.month === month);
  const reference = counts.filter((count) => before.has(count.month));
  return DRIFT_METRICS.map((metric) => {
    const [now, then] = [histogramOf(metric, own), histogramOf(metric, reference)];
    const events = sumBy(now, (count) => count);
    const reference_events = sumBy(then, (count) => count);
    const isEnough = events >= LEAST_EVENTS && reference_events >= LEAST_EVENTS;
    const index = isEnough ? stabilityIndex(now, then) : null;
    return {
      metric,
      index,
      state: stateOf(index),
      events,
      reference_events,
      shares: now.map((count) => count / Math.max(1, events)),
      reference_shares: then.map((count) => count / Math.max(1, reference_events)),
    };
  });
}

function stateOf(index: number | null): Stability['state'] {
  if (index === null) return 'too_few_events';
  if (index > DRIFTED) return 'drifted';
  return index > MOVED ? 'moved' : 'stable';
}

const BINS: {
  readonly [Metric in DriftMetric]: {
    readonly count: number;
    readonly of: (count: ScoredCount) => number | null;
  };
} = {
  identifier_coverage: { count: 2, of: (count) => (count.shares_identifier ? 1 : 0) },
  lag: { count: LAG_ENDS.length + 1, of: (count) => count.lag_bin },
  share: { count: SHARE_ENDS.length + 1, of: (count) => count.share_bin },
};

function histogramOf(metric: DriftMetric, counts: readonly ScoredCount[]): number[] {
  const bins = BINS[metric];
  return Array.from({ length: bins.count }, (_none, bin) =>
    sumBy(
      counts.filter((count) => bins.of(count) === bin),
      ({ events }) => events,
    ),
  );
}

/** Added to each bin, so that an empty one does not make the index infinite. */
const HALF = 0.5;

/**
 * Population stability index of two histograms: the sum of (p − q) × ln(p ÷ q) over the bins.
 * @param now counts, as many bins as `then`
 */
export function stabilityIndex(now: readonly number[], then: readonly number[]): number {
  const share = (counts: readonly number[], bin: number) =>
    ((counts[bin] ?? 0) + HALF) / (sumBy(counts, (count) => count) + HALF * counts.length);
  return now.reduce((total, _count, bin) => {
    const [p, q] = [share(now, bin), share(then, bin)];
    return total + (p - q) * Math.log(p / q);
  }, 0);
}
