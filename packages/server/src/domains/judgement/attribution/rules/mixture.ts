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
  /** How much likelier it is with a cause than without: of causes that state its amount, another one, none. */
  readonly sums: { readonly equal: number; readonly other: number; readonly none: number };
  /** Multiplies the sums. */
  readonly scale: number;
}

/** One hypothesis of a type, with the log of its prior times its likelihood. */
export interface MixtureCell {
  readonly shift: number;
  readonly other: number;
  readonly log: number;
}

/**
 * A mixture of events with and without causes, for each shift of their level and each share of causes that
 * state another amount.
 * @returns the hypotheses, and the log of their sum
 */
export function fitMixture(events: readonly MixedEvent[]): {
  readonly cells: readonly MixtureCell[];
  readonly evidence: number;
} {
  const ratios = events.map(({ sums: { equal, other, none }, scale }) =>
    OTHERS.map((share) => scale * (equal * (1 - share) + other * share + none)),
  );
  const cells = SHIFTS.flatMap((shift, place) => {
    const shares = events.map(({ level }) => toShare(level + shift));
    return OTHERS.map((other, at): MixtureCell => {
      const log = ratios.reduce((sum, ratio, event) => {
        const share = shares[event] ?? 0;
        return sum + Math.log(1 - share + share * (ratio[at] ?? 0));
      }, 0);
      const prior = Math.log(PRIOR_SHIFT[place] ?? 0) + Math.log(PRIOR_OTHER[at] ?? 0);
      return { shift, other, log: prior + log };
    });
  });
  const most = cells.reduce((max, { log }) => Math.max(max, log), Number.NEGATIVE_INFINITY);
  const total = cells.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  return { cells, evidence: most + Math.log(total) };
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

/** Below 1, so that the log of the rest is finite. */
export const toShare = (logOdds: number): number =>
  1 / (1 + Math.exp(-Math.min(MAX_LOG_ODDS, logOdds)));
const MAX_LOG_ODDS = 30;
