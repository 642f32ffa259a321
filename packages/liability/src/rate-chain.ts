import {
  adjustOdds,
  betaOf,
  betaPosterior,
  type LossTally,
  logBetaBinomial,
  meanOf,
  type PooledRates,
  relativeVariance,
  sizeOf,
} from './rates.js';

/** A rate with the uncertainty of its mean, as relative variance. */
interface LossRate {
  readonly rate: number;
  readonly variance: number;
}

/** The rate of a version of an agent. */
interface VersionRate extends LossRate {
  /** How probable it is that its odds are about those of the agent times each of `CHANGES`; together 1. */
  readonly changes: readonly number[];
}

/** The rates that a decision of an agent's version passes through. */
export interface RateChain {
  readonly type: LossRate;
  readonly agent: LossRate;
  readonly version: VersionRate;
}

export function rateChainOf(
  { type, spread, agents }: PooledRates,
  agentId: string,
  variant: string,
): RateChain {
  const root = { rate: meanOf(type), variance: relativeVariance(type) };
  const agent = agents.get(agentId);
  const own = below(root, spread.agents, agent?.information);
  if (variant === '') return { type: root, agent: own, version: unchanged(own) };
  const tally = agent?.variants.find((one) => one.variant === variant);
  return { type: root, agent: own, version: versionBelow(own, spread.versions, tally) };
}

const unchanged = (own: LossRate): VersionRate => ({ ...own, changes: [1] });

const NOTHING: LossTally = { decisions: 0, losses: 0 };

/** A level below another one: its own outcomes, and what its parent says. */
function below(parent: LossRate, spread: number, outcomes: LossTally = NOTHING): LossRate {
  const size = sizeOf(parent.rate, spread);
  const posterior = betaPosterior(parent.rate, size, outcomes);
  const rate = meanOf(posterior);
  const fromParent = size / (size + outcomes.decisions);
  const inherited = parent.variance * ((fromParent * parent.rate) / rate) ** 2;
  return { rate, variance: relativeVariance(posterior) + inherited };
}

const powersOfTwo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, step) => 2 ** (from + step));

/**
 * What a version may have changed of the odds of its agent: nothing first, then any factor, downwards as well as upwards. They are
 * evenly spaced, because nobody knows how large a change is.
 */
export const CHANGES = [1, ...powersOfTwo(-6, -1), ...powersOfTwo(1, 6)];
/** Relative variance of the rates around each factor but the first: they fill the gaps between the factors. */
export const CHANGED_SPREAD = 0.1;
/** How often a version is assumed to have changed, once it has outcomes, and how many of them half of that takes. */
const CHANGED = { share: 0.4, half: 10 };

/**
 * A version is a usual one of its agent, which differs as much as past versions did, or a changed one: its outcomes say which, and
 * how far (Bayes' rule). Without outcomes it is a usual one.
 */
function versionBelow(
  parent: LossRate,
  spread: number,
  outcomes: LossTally = NOTHING,
): VersionRate {
  if (outcomes.decisions === 0) return unchanged(below(parent, spread));
  const share = (CHANGED.share * outcomes.decisions) / (outcomes.decisions + CHANGED.half);
  const kinds = CHANGES.map((factor, index) => {
    const mean = adjustOdds(parent.rate, factor);
    const width = index === 0 ? spread : CHANGED_SPREAD;
    const prior = index === 0 ? 1 - share : share / (CHANGES.length - 1);
    const evidence = logBetaBinomial(outcomes, betaOf(mean, sizeOf(mean, width)));
    return {
      score: Math.log(prior) + evidence,
      own: below({ ...parent, rate: mean }, width, outcomes),
    };
  });
  const most = Math.max(...kinds.map(({ score }) => score));
  const weights = kinds.map(({ score }) => Math.exp(score - most));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const changes = weights.map((weight) => weight / whole);
  const mean = (of: (own: LossRate) => number) =>
    kinds.reduce((sum, { own }, index) => sum + of(own) * (changes[index] ?? 0), 0);
  const rate = mean((own) => own.rate);
  const square = mean((own) => own.rate ** 2 * (1 + own.variance));
  return { rate, variance: square / rate ** 2 - 1, changes };
}
