import { type Beta, meanOf, relativeVariance, sizeOf, type Tally, updated } from './frequency.js';

/** Outcomes of a version of an agent, as decisions of usual risk. */
export interface VariantTally extends Tally {
  readonly agentId: string;
  /** Empty if no version is stated. */
  readonly variant: string;
}

export interface PooledAgent {
  readonly agentId: string;
  /** What its outcomes say of its rate, as independent decisions. */
  readonly information: Tally;
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
  let [losses, decisions] = [0, 0];
  for (const tally of tallies) {
    losses += tally.losses;
    decisions += tally.decisions;
  }
  let type = updated(expected, credibility, { losses, decisions });
  let agents = new Map<string, PooledAgent>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = meanOf(type);
    agents = new Map();
    let [information, lost] = [0, 0];
    for (const [agentId, variants] of byAgent) {
      const own = combine(
        variants.map((one) => thin(one, rate, one.variant === '' ? 0 : spread.versions)),
      );
      agents.set(agentId, { agentId, information: own, variants });
      const thinned = thin(own, rate, spread.agents);
      information += thinned.decisions;
      lost += thinned.losses;
    }
    type = updated(expected, credibility, { decisions: information, losses: lost });
  }
  return { type, spread, agents };
}

/** Outcomes as independent decisions, if rates around this one have this relative variance. */
export function thin({ decisions, losses }: Tally, rate: number, spread: number): Tally {
  const weight = 1 / (1 + (decisions * rate * spread) / (1 - rate));
  return { decisions: weight * decisions, losses: weight * losses };
}

function combine(tallies: readonly Tally[]): Tally {
  let [decisions, losses] = [0, 0];
  for (const tally of tallies) {
    decisions += tally.decisions;
    losses += tally.losses;
  }
  return { decisions, losses };
}

/** A rate with the uncertainty of its mean, as relative variance. */
export interface Rate {
  readonly rate: number;
  readonly variance: number;
}

/** The rates that a decision of an agent's version passes through. */
export interface RateChain {
  readonly type: Rate;
  readonly agent: Rate;
  readonly version: Rate;
}

export function rateOf(
  { type, spread, agents }: PooledRates,
  agentId: string,
  variant: string,
): RateChain {
  const root = { rate: meanOf(type), variance: relativeVariance(type) };
  const agent = agents.get(agentId);
  const own = below(root, spread.agents, agent?.information);
  if (variant === '') return { type: root, agent: own, version: own };
  const tally = agent?.variants.find((one) => one.variant === variant);
  return { type: root, agent: own, version: below(own, spread.versions, tally) };
}

const NOTHING: Tally = { decisions: 0, losses: 0 };

/** A level below another one: its own outcomes, and what its parent says. */
function below(parent: Rate, spread: number, outcomes: Tally = NOTHING): Rate {
  const size = sizeOf(parent.rate, spread);
  const posterior = updated(parent.rate, size, outcomes);
  const rate = meanOf(posterior);
  const fromParent = size / (size + outcomes.decisions);
  const inherited = parent.variance * ((fromParent * parent.rate) / rate) ** 2;
  return { rate, variance: relativeVariance(posterior) + inherited };
}
