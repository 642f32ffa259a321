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
const PRIOR = shiftPriors();
/** A beta prior: of causes that state money, two in three state that of the event; a type mostly agrees. */
const STATED = { equal: 2 / 3, other: 1 / 3 };
/** Shares of the causes that state money, but not the money of the event. */
const OTHERS = othersOf([0.01, 0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97, 0.995]);

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
  const fits = OTHERS.map(({ logPrior }, at) => fitShifts(logPrior, shared[at], apart[at]));
  const evidence = logSum(fits.map(({ log }) => log));
  const probabilities = fits.map(({ log }) => Math.exp(log - evidence));
  const described = (of: (fit: ShiftFit) => readonly number[]) =>
    SHIFTS.map(
      (shift, at): Shift => ({
        shift,
        probability: sumOf(fits, (fit, other) => (probabilities[other] ?? 0) * (of(fit)[at] ?? 0)),
      }),
    );
  return {
    evidence,
    shifts: { shared: described((fit) => fit.shared), apart: described((fit) => fit.apart) },
    other: sumOf(OTHERS, ({ share }, at) => (probabilities[at] ?? 0) * share),
  };
}

/** The likelihoods of the shifts, divided by the greatest, and the log of that. */
interface Likelihoods {
  readonly most: number;
  readonly relative: readonly number[];
}

/** For each share of other amounts, the likelihood of each shift. */
function likelihoodsOf(events: readonly MixedEvent[]): Likelihoods[] {
  const shares = SHIFTS.map((shift) => events.map(({ level }) => toShare(level + shift)));
  return OTHERS.map(({ share: other }) => {
    const ratios = events.map(
      ({ sums, scale }) => scale * (sums.equal * (1 - other) + sums.other * other + sums.none),
    );
    const logs = shares.map((ofShift) => logLikelihood(ofShift, ratios));
    const most = Math.max(...logs);
    return { most, relative: logs.map((log) => Math.exp(log - most)) };
  });
}

/** Products of likelihoods are kept within this and its inverse. */
const LARGE = 1e100;

/** The logs of products are summed: a log takes far longer than a product. */
function logLikelihood(shares: readonly number[], ratios: readonly number[]): number {
  let sum = 0;
  let likelihood = 1;
  for (let event = 0; event < shares.length; event++) {
    const share = shares[event] ?? 0;
    likelihood *= 1 - share + share * (ratios[event] ?? 0);
    if (likelihood > LARGE || likelihood < 1 / LARGE) {
      sum += Math.log(likelihood);
      likelihood = 1;
    }
  }
  return sum + Math.log(likelihood);
}

/** With one share of other amounts: the log of the likelihood, and the posteriors of both shifts. */
interface ShiftFit extends BySharing<readonly number[]> {
  readonly log: number;
}

const NO_LIKELIHOODS: Likelihoods = { most: 0, relative: [] };

function fitShifts(logPrior: number, shared = NO_LIKELIHOODS, apart = NO_LIKELIHOODS): ShiftFit {
  // The prior is symmetric, so its rows serve both.
  const joint = (own: Likelihoods, other: Likelihoods) =>
    PRIOR.map((row, at) => (own.relative[at] ?? 0) * product(row, other.relative));
  const ofShared = joint(shared, apart);
  const total = sumOf(ofShared, (value) => value);
  return {
    log: logPrior + shared.most + apart.most + Math.log(total),
    shared: ofShared.map((value) => value / total),
    apart: joint(apart, shared).map((value) => value / total),
  };
}

/** The scalar product. */
function product(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < other.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(sumOf(values, (value) => Math.exp(value - most)));
}

function sumOf<Item>(items: readonly Item[], of: (item: Item, at: number) => number): number {
  return items.reduce((sum, item, at) => sum + of(item, at), 0);
}

function othersOf(
  shares: readonly number[],
): { readonly share: number; readonly logPrior: number }[] {
  const logs = shares.map((share, at) => {
    const width = (shares[at + 1] ?? 1) - (shares[at - 1] ?? 0);
    const beta = (STATED.equal - 1) * Math.log(1 - share) + (STATED.other - 1) * Math.log(share);
    return beta + Math.log(width);
  });
  const total = logSum(logs);
  return shares.map((share, at) => ({ share, logPrior: (logs[at] ?? 0) - total }));
}

/** Of two correlated normal shifts, by the place of one and of the other. */
function shiftPriors(): number[][] {
  const density = (one: number, two: number) => {
    const squares = one ** 2 - 2 * SHIFT_CORRELATION * one * two + two ** 2;
    return Math.exp(-squares / (2 * SHIFT_SD ** 2 * (1 - SHIFT_CORRELATION ** 2)));
  };
  const total = sumOf(SHIFTS, (one) => sumOf(SHIFTS, (two) => density(one, two)));
  return SHIFTS.map((one) => SHIFTS.map((two) => density(one, two) / total));
}
