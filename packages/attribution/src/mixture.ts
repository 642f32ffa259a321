/** One figure for events that share an identifier with a decision, and one for those that do not. */
export interface BySharing<Figure = number> {
  readonly shared: Figure;
  readonly apart: Figure;
}

export const ofSharing = <Figure>(
  { shared, apart }: BySharing<Figure>,
  isShared: boolean,
): Figure => (isShared ? shared : apart);

export const NO_SHIFT: BySharing = { shared: 0, apart: 0 };

/** The share of a level, in log-odds. Below 1, so that the log of the rest is finite. */
export const toShare = (logOdds: number): number =>
  1 / (1 + Math.exp(-Math.min(MAX_LOG_ODDS, logOdds)));
const MAX_LOG_ODDS = 30;

/** How far the level of a type may differ from the usual one, in log-odds, and how likely that is. */
const SHIFTS = Array.from({ length: 25 }, (_, at) => (at - 16) / 2);
const SHIFT_SD = 1.5;
/** Between events of one type that share an identifier and those that share none. */
const SHIFT_CORRELATION = 0.5;
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
  const logs = HYPOTHESES.map(
    (one) =>
      one.logPrior + (shared[one.shared]?.[one.other] ?? 0) + (apart[one.apart]?.[one.other] ?? 0),
  );
  const evidence = logSum(logs);
  const shifts = { shared: SHIFTS.map(() => 0), apart: SHIFTS.map(() => 0) };
  let other = 0;
  HYPOTHESES.forEach((one, at) => {
    const probability = Math.exp((logs[at] ?? 0) - evidence);
    shifts.shared[one.shared] = (shifts.shared[one.shared] ?? 0) + probability;
    shifts.apart[one.apart] = (shifts.apart[one.apart] ?? 0) + probability;
    other += probability * (OTHERS[one.other] ?? 0);
  });
  const described = (probabilities: readonly number[]) =>
    SHIFTS.map((shift, at): Shift => ({ shift, probability: probabilities[at] ?? 0 }));
  return {
    evidence,
    shifts: { shared: described(shifts.shared), apart: described(shifts.apart) },
    other,
  };
}

/** For each shift and each share of other amounts, the log of the likelihood. */
function likelihoodsOf(events: readonly MixedEvent[]): number[][] {
  const ratios = events.map(({ sums: { equal, other, none }, scale }) =>
    OTHERS.map((share) => scale * (equal * (1 - share) + other * share + none)),
  );
  return SHIFTS.map((shift) => {
    const shares = events.map(({ level }) => toShare(level + shift));
    return OTHERS.map((_, at) =>
      ratios.reduce((sum, ratio, event) => {
        const share = shares[event] ?? 0;
        return sum + Math.log(1 - share + share * (ratio[at] ?? 0));
      }, 0),
    );
  });
}

function logSum(values: readonly number[]): number {
  const most = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/** Both shifts of a type, and its share of other amounts, as places in their grids. */
interface Hypothesis extends BySharing {
  readonly other: number;
  readonly logPrior: number;
}

const HYPOTHESES = hypotheses();

function hypotheses(): Hypothesis[] {
  const all = OTHERS.flatMap((share, other) =>
    SHIFTS.flatMap((one, shared) =>
      SHIFTS.map((two, apart): Hypothesis => {
        const width = (OTHERS[other + 1] ?? 1) - (OTHERS[other - 1] ?? 0);
        const beta =
          (STATED.equal - 1) * Math.log(1 - share) + (STATED.other - 1) * Math.log(share);
        return { shared, apart, other, logPrior: logNormal(one, two) + beta + Math.log(width) };
      }),
    ),
  );
  const total = logSum(all.map(({ logPrior }) => logPrior));
  return all.map((one) => ({ ...one, logPrior: one.logPrior - total }));
}

/** Of two correlated shifts, up to a constant. */
function logNormal(one: number, two: number): number {
  const squares = one ** 2 - 2 * SHIFT_CORRELATION * one * two + two ** 2;
  return -squares / (2 * SHIFT_SD ** 2 * (1 - SHIFT_CORRELATION ** 2));
}
