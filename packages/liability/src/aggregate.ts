import { finish, type Steps } from '@decision-ledger/contract/steps';
import {
  type AggregatePlan,
  type Leaf,
  planInSteps,
  type Remainder,
  type Simulation,
} from './aggregate-plan.js';
import { SPREADS } from './dispersion.js';
import { type Sampler, sampler } from './random.js';
import { CHANGED_SPREAD, CHANGES } from './rate-chain.js';
import { adjustOdds, betaPosterior, sizeOf } from './rates.js';

/** The distribution of what a number of decisions will have cost in total. */
export interface Aggregate {
  /** Sum of the expected costs. */
  readonly expected: number;
  readonly p50: number;
  /** 5th and 95th percentile: 9 of 10 totals lie between. */
  readonly low90: number;
  readonly high90: number;
  /** Exceeded in one case of twenty. */
  readonly var95: number;
  /** Mean of the totals from var95 upwards. */
  readonly es95: number;
  /** `prior`: more than half of the expected cost stems from assumptions, not from own outcomes. */
  readonly basis: 'prior' | 'experience';
}

const DRAWS = 4000;
/**
 * Added to the number of losses from which the rate of an action type is drawn: a prior that is worth a
 * fraction of a loss would take a few months without losses as proof that none can happen.
 */
const UNSEEN = 1 / 3;

/** Simulates in one go; see `aggregateInSteps`. */
export const aggregate = (simulation: Simulation): Aggregate =>
  finish(aggregateInSteps(simulation));

/**
 * Compound simulation of the total cost. Each draw takes how much rates differ, then one rate for each
 * action type, agent and version, which all their decisions share; then the number of losses; then their
 * sizes. Pauses after each draw, so that a caller can let other work run.
 */
export function* aggregateInSteps(simulation: Simulation): Steps<Aggregate> {
  const plan = yield* planInSteps(simulation);
  const random = sampler(simulation.seed);
  const totals = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    totals[draw] = plan.realised + drawTotal(plan, random);
    yield;
  }
  return summary(totals.sort(), plan);
}

function summary(sorted: Float64Array, { expected, basis }: AggregatePlan): Aggregate {
  const var95 = percentile(sorted, 0.95);
  const tail = sorted.slice(Math.floor(0.95 * sorted.length));
  return {
    expected,
    p50: percentile(sorted, 0.5),
    low90: percentile(sorted, 0.05),
    high90: var95,
    var95,
    es95: Math.max(var95, tail.reduce((sum, total) => sum + total, 0) / tail.length),
    basis,
  };
}

function drawTotal(plan: AggregatePlan, random: Sampler): number {
  const agents = random.index(plan.dispersion.agents);
  const versions = random.index(plan.dispersion.versions);
  let total = 0;
  for (const type of plan.types) {
    const { rates, agents: information } = type.at(agents, versions);
    const typeRate = bounded(random.beta({ ...rates, alpha: rates.alpha + UNSEEN }));
    const sizes = random.logNormal(type.sizeUncertainty);
    let agentId: string | null = null;
    let agentRate = typeRate;
    for (const leaf of type.leaves) {
      if (leaf.agentId !== agentId) {
        agentId = leaf.agentId;
        const own = information.get(agentId);
        agentRate = drawBelow(typeRate, SPREADS[agents] ?? 0, own, random);
      }
      const rate =
        leaf.variant === ''
          ? agentRate
          : drawVersion(agentRate, leaf, SPREADS[versions] ?? 0, random);
      total += sizes * drawLeaf(leaf, rate, random);
    }
    if (type.rest !== null) total += sizes * drawRest(type.rest, typeRate, random);
  }
  const { mean, variance } = plan.others;
  return mean === 0 ? total : total + mean * random.logNormal(Math.log1p(variance / mean ** 2));
}

/** A version whose outcomes say that it changed is not tied to the spread of the others. */
function drawVersion(
  agentRate: number,
  { changes, outcomes }: Leaf,
  spread: number,
  random: Sampler,
): number {
  const index = random.index(changes);
  if (index === 0) return drawBelow(agentRate, spread, outcomes, random);
  return drawBelow(adjustOdds(agentRate, CHANGES[index] ?? 1), CHANGED_SPREAD, outcomes, random);
}

const NOTHING = { decisions: 0, losses: 0 };

function drawBelow(
  parent: number,
  spread: number,
  outcomes: Leaf['outcomes'] = NOTHING,
  random: Sampler,
): number {
  return bounded(random.beta(betaPosterior(parent, sizeOf(parent, spread), outcomes)));
}

/** Rates of exactly 0 or 1 have no odds. */
const bounded = (rate: number): number => Math.min(1 - 1e-9, Math.max(1e-12, rate));

function drawLeaf(leaf: Leaf, rate: number, random: Sampler): number {
  const probability = adjustOdds(rate, leaf.factor);
  const expected = leaf.events * (probability / leaf.probability);
  return drawSizes(leaf, random.losses(expected, probability), random);
}

function drawRest(rest: Remainder, typeRate: number, random: Sampler): number {
  const varied = random.logNormal(rest.variance);
  return drawLeaf(rest, bounded(typeRate * varied), random);
}

/** From this number of losses on, their sum is drawn at once, as a log-normal of its moments. */
const MANY = 30;

function drawSizes({ size, sizeVariance }: Leaf, losses: number, random: Sampler): number {
  if (losses === 0) return 0;
  if (losses > MANY) {
    return losses * size * random.logNormal(Math.log1p(Math.expm1(sizeVariance) / losses));
  }
  let sum = 0;
  for (let loss = 0; loss < losses; loss += 1) sum += random.logNormal(sizeVariance);
  return sum * size;
}

/** @param share of the values that lie below; interpolates linearly between neighbours */
function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
