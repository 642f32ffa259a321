import { logGamma } from '@decision-ledger/numerics/distributions';

/** Number of decisions, and of those that cost money. */
export interface LossTally {
  readonly decisions: number;
  readonly losses: number;
}

/** A Beta distribution of a loss rate. */
export interface Beta {
  readonly alpha: number;
  readonly beta: number;
}

export const meanOf = ({ alpha, beta }: Beta): number => alpha / (alpha + beta);

/** Variance of a loss rate ÷ its square. */
export function relativeVariance({ alpha, beta }: Beta): number {
  return beta / (alpha * (alpha + beta + 1));
}

/**
 * The number of decisions that a rate is worth as a prior, if rates around it have this relative variance:
 * the size of the Beta distribution with that mean and variance.
 */
export function sizeOf(rate: number, spread: number): number {
  return Math.max(MIN_SIZE, (1 - rate) / (rate * spread) - 1);
}

const MIN_SIZE = 0.01;

export const betaOf = (mean: number, size: number): Beta => ({
  alpha: size * mean,
  beta: size * (1 - mean),
});

/** The posterior of a Beta distribution with a mean and a size, after these outcomes. */
export function betaPosterior(mean: number, size: number, { decisions, losses }: LossTally): Beta {
  const { alpha, beta } = betaOf(mean, size);
  return { alpha: alpha + losses, beta: beta + Math.max(0, decisions - losses) };
}

export function totalOf(tallies: readonly LossTally[]): LossTally {
  let [decisions, losses] = [0, 0];
  for (const tally of tallies) {
    decisions += tally.decisions;
    losses += tally.losses;
  }
  return { decisions, losses };
}

/** Odds of a probability; finite even if rounding made it 1. */
export function oddsOf(probability: number): number {
  return probability / Math.max(1 - probability, Number.EPSILON);
}

/**
 * The probability whose odds are `factor` times those of the given one. In this form, rounding keeps it
 * monotone in the factor.
 */
export function adjustOdds(probability: number, factor: number): number {
  return 1 / (1 + 1 / (oddsOf(probability) * factor));
}

/** Outcomes of a version of an agent, as decisions of usual risk. */
export interface VariantTally extends LossTally {
  readonly agentId: string;
  /** Empty if no version is stated. */
  readonly variant: string;
}

export interface PooledAgent {
  readonly agentId: string;
  /** What its outcomes say of its rate, as independent decisions. */
  readonly information: LossTally;
  readonly variants: readonly VariantTally[];
}

/** Loss rates of an action type, its agents and their versions. */
export interface PooledRates {
  readonly type: Beta;
  readonly spread: { readonly agents: number; readonly versions: number };
  readonly agents: ReadonlyMap<string, PooledAgent>;
}

const ROUNDS = 12;

/**
 * Hierarchical credibility (Jewell, 1975) with Beta-binomial outcomes. Versions scatter around their
 * agent, agents around their action type, and that around the expected rate. Many decisions of one
 * version say less about its agent than as many of several: n decisions count n ÷ (1 + n × variance of
 * rates ÷ variance of one outcome).
 * @param expected rate, which weighs `credibility` decisions
 */
export function poolRates(
  tallies: readonly VariantTally[],
  { expected, credibility }: { readonly expected: number; readonly credibility: number },
  spread: { readonly agents: number; readonly versions: number },
): PooledRates {
  const byAgent = new Map<string, VariantTally[]>();
  for (const tally of tallies) {
    const own = byAgent.get(tally.agentId);
    if (own === undefined) byAgent.set(tally.agentId, [tally]);
    else own.push(tally);
  }
  let type = betaPosterior(expected, credibility, totalOf(tallies));
  let agents = new Map<string, PooledAgent>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = meanOf(type);
    agents = new Map();
    let [information, lost] = [0, 0];
    for (const [agentId, variants] of byAgent) {
      const own = totalOf(
        variants.map((one) => thinTally(one, rate, one.variant === '' ? 0 : spread.versions)),
      );
      agents.set(agentId, { agentId, information: own, variants });
      const thinned = thinTally(own, rate, spread.agents);
      information += thinned.decisions;
      lost += thinned.losses;
    }
    type = betaPosterior(expected, credibility, { decisions: information, losses: lost });
  }
  return { type, spread, agents };
}

/** Outcomes as independent decisions, if rates around this one have this relative variance. */
export function thinTally(
  { decisions, losses }: LossTally,
  rate: number,
  spread: number,
): LossTally {
  const weight = 1 / (1 + (decisions * rate * spread) / (1 - rate));
  return { decisions: weight * decisions, losses: weight * losses };
}

/**
 * Logarithm of the probability of losses among decisions whose rate has a Beta distribution, without the binomial
 * coefficient, which is the same for all shapes.
 */
export function logBetaBinomial({ decisions, losses }: LossTally, { alpha, beta }: Beta): number {
  const safe = Math.max(0, decisions - losses);
  return (
    logGamma(losses + alpha) -
    logGamma(alpha) +
    logGamma(safe + beta) -
    logGamma(beta) +
    logGamma(alpha + beta) -
    logGamma(losses + safe + alpha + beta)
  );
}
