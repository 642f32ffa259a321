import type { KindValue } from './event-kind.js';
import { type BySharing, ofSharing, toShare } from './level.js';

/** One reviewed event: the log-odds of a recorded cause without what is known of its type. */
export interface ReviewedEvent {
  readonly logOdds: number;
  readonly isShared: boolean;
  readonly isCaused: boolean;
  /** How much it counts. */
  readonly weight: number;
}

export interface ReviewedOfType extends ReviewedEvent {
  readonly kinds: readonly KindValue[];
}

/** What people said of the events of each type. */
export type TypeTable = Map<string, ReviewedOfType[]>;

/** What is known of the causes of a type of events. */
export interface Level {
  /** What it adds to the log-odds of a recorded cause, if any of its events has one. */
  readonly logOdds: BySharing;
  /** Probability that none of its events has a recorded cause. */
  readonly causeless: number;
}

/** Part of the reviews that is expected to be wrong. */
const WRONG = 0.05;
/** How far the level of a type may differ from what is known without reviews. */
const SHIFTS = Array.from({ length: 33 }, (_, at) => (at - 16) / 4);
const SHIFT_SD = 1.5;
const MAX_CAUSELESS = 0.97;

/**
 * The level of a type after reviews: the posteriors of its shifts, and of the hypothesis that no event of the
 * type has a recorded cause, against all shifts together.
 */
export function levelAfter(before: Level, reviews: readonly ReviewedEvent[]): Level {
  if (reviews.length === 0) return before;
  const after = (isShared: boolean) =>
    shiftAfter(
      ofSharing(before.logOdds, isShared),
      reviews.filter((review) => review.isShared === isShared),
    );
  const [shared, apart] = [after(true), after(false)];
  const odds = Math.log(before.causeless / (1 - before.causeless)) + shared.without + apart.without;
  return {
    logOdds: {
      shared: before.logOdds.shared + shared.shift,
      apart: before.logOdds.apart + apart.shift,
    },
    causeless: before.causeless === 0 ? 0 : Math.min(MAX_CAUSELESS, toShare(odds)),
  };
}

/**
 * The posterior mean of a shift on a grid.
 * @returns without: the log of how much likelier the answers are if no event has a recorded cause
 */
export function shiftAfter(
  before: number,
  reviews: readonly ReviewedEvent[],
): { readonly shift: number; readonly without: number } {
  const cells = SHIFTS.map((shift) => ({
    shift,
    log: reviews.reduce(
      (sum, { logOdds, isCaused, weight }) =>
        sum + weight * Math.log(saidOf(isCaused, toShare(logOdds + before + shift))),
      -((shift / SHIFT_SD) ** 2) / 2,
    ),
  }));
  const most = cells.reduce((max, { log }) => Math.max(max, log), Number.NEGATIVE_INFINITY);
  const total = cells.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  const shift = cells.reduce(
    (sum, cell) => sum + (cell.shift * Math.exp(cell.log - most)) / total,
    0,
  );
  const without = reviews.reduce(
    (sum, { isCaused, weight }) => sum + weight * Math.log(saidOf(isCaused, 0)),
    0,
  );
  return { shift, without: without - most - Math.log(total / PRIOR_TOTAL) };
}

const PRIOR_TOTAL = SHIFTS.reduce(
  (sum, shift) => sum + Math.exp(-((shift / SHIFT_SD) ** 2) / 2),
  0,
);

/** How likely an answer is if a share of such events has a recorded cause. */
const saidOf = (isCaused: boolean, share: number): number =>
  WRONG / 2 + (1 - WRONG) * (isCaused ? share : 1 - share);
