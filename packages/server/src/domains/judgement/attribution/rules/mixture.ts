import { type BySharing, toShare } from './level.js';

/** How far the level of a type may differ from the usual one, in log-odds, and how likely that is. */
const SHIFTS = Array.from({ length: 25 }, (_, at) => (at - 16) / 2);
const SHIFT_SD = 1.5;
/** Shares of the causes that state money, but not the money of the event. */
const OTHERS = [0.01, 0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97, 0.995];
/** A beta prior: of causes that state money, two in three state that of the event; a type mostly agrees. */
const STATED = { equal: 2 / 3, other: 1 / 3 };

/** An event of a mixture. */
export interface MixedEvent {
  /** The log-odds of a cause before its evidence. */
  readonly level: number;
  /** Whether a decision shares an identifier: the levels of those events shift apart from those of others. */
  readonly isShared: boolean;
  /** How much likelier it is with a cause than without: of causes that state its amount, another one, none. */
  readonly sums: { readonly equal: number; readonly other: number; readonly none: number };
  /** Multiplies the sums. */
  readonly scale: number;
}

/** A shift of the level with its posterior probability. */
export interface Shift {
  readonly shift: number;
  readonly probability: number;
}

export interface Mixture {
  /** The log of the marginal likelihood. */
  readonly evidence: number;
  readonly shifts: BySharing<readonly Shift[]>;
  /** The mean share of the causes that state another amount, of those that state any. */
  readonly other: number;
}

/**
 * A mixture of events with and without causes, for each shift of their levels and each share of causes that
 * state another amount.
 */
export function fitMixture(events: readonly MixedEvent[]): Mixture {
  const shared = likelihoodsOf(events.filter(({ isShared }) => isShared));
  const apart = likelihoodsOf(events.filter(({ isShared }) => !isShared));
  const totals = OTHERS.map((_, at) => ({
    shared: logSum(shared.map((row) => row[at] ?? 0)),
    apart: logSum(apart.map((row) => row[at] ?? 0)),
  }));
  const logs = totals.map((one, at) => Math.log(PRIOR_OTHER[at] ?? 0) + one.shared + one.apart);
  const evidence = logSum(logs);
  const others = logs.map((log) => Math.exp(log - evidence));
  const shiftsOf = (rows: readonly (readonly number[])[], of: keyof BySharing) =>
    SHIFTS.map((shift, place): Shift => {
      const probability = others.reduce(
        (sum, other, at) =>
          sum + other * Math.exp((rows[place]?.[at] ?? 0) - (totals[at]?.[of] ?? 0)),
        0,
      );
      return { shift, probability };
    });
  return {
    evidence,
    shifts: { shared: shiftsOf(shared, 'shared'), apart: shiftsOf(apart, 'apart') },
    other: OTHERS.reduce((sum, other, at) => sum + other * (others[at] ?? 0), 0),
  };
}

/** For each shift and each share of other amounts, the log of the prior of the shift times the likelihood. */
function likelihoodsOf(events: readonly MixedEvent[]): number[][] {
  const ratios = events.map(({ sums: { equal, other, none }, scale }) =>
    OTHERS.map((share) => scale * (equal * (1 - share) + other * share + none)),
  );
  return SHIFTS.map((shift, place) => {
    const shares = events.map(({ level }) => toShare(level + shift));
    return OTHERS.map((_, at) =>
      ratios.reduce(
        (sum, ratio, event) => {
          const share = shares[event] ?? 0;
          return sum + Math.log(1 - share + share * (ratio[at] ?? 0));
        },
        Math.log(PRIOR_SHIFT[place] ?? 0),
      ),
    );
  });
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

const PRIOR_SHIFT = scaled(SHIFTS.map((shift) => Math.exp(-((shift / SHIFT_SD) ** 2) / 2)));
const PRIOR_OTHER = scaled(
  OTHERS.map(
    (other, at) =>
      (1 - other) ** (STATED.equal - 1) *
      other ** (STATED.other - 1) *
      ((OTHERS[at + 1] ?? 1) - (OTHERS[at - 1] ?? 0)),
  ),
);

function scaled(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}
