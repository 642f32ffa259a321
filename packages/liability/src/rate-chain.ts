import {
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
  /** Probability that it is not one of the agent's usual versions. */
  readonly changed: number;
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

const unchanged = ({ rate, variance }: LossRate): VersionRate => ({ rate, variance, changed: 0 });

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

/** Relative variance of the rates of versions that are not usual ones. */
export const CHANGED_SPREAD = 4;
/** How often a version is assumed to be one, once it has outcomes, and how many of them half of that takes. */
const CHANGED = { share: 0.4, half: 10 };

/**
 * A version is a usual one of its agent, which differs as much as past versions did, or a changed one, which may differ by
 * any factor: its outcomes say which (Bayes' rule). Without outcomes it is a usual one.
 */
function versionBelow(
  parent: LossRate,
  spread: number,
  outcomes: LossTally = NOTHING,
): VersionRate {
  const usual = below(parent, spread, outcomes);
  if (outcomes.decisions === 0) return unchanged(usual);
  const other = below(parent, CHANGED_SPREAD, outcomes);
  const share = (CHANGED.share * outcomes.decisions) / (outcomes.decisions + CHANGED.half);
  const evidence = (width: number) =>
    logBetaBinomial(outcomes, betaOf(parent.rate, sizeOf(parent.rate, width)));
  const odds = (share / (1 - share)) * Math.exp(evidence(CHANGED_SPREAD) - evidence(spread));
  const changed = 1 - 1 / (1 + odds);
  const rate = changed * other.rate + (1 - changed) * usual.rate;
  const squares = (part: LossRate) => part.rate ** 2 * (1 + part.variance);
  const square = changed * squares(other) + (1 - changed) * squares(usual);
  return { rate, variance: square / rate ** 2 - 1, changed };
}
