import type { Steps } from '@decision-ledger/contract/steps';
import type { ActionTypeModel } from './action-type.js';
import { NO_DISPERSION, SPREADS } from './dispersion.js';
import type { Estimator } from './estimator.js';
import type { Dispersion } from './experience.js';
import { type Beta, type LossTally, oddsOf, poolRates } from './rates.js';

/** Sums over decisions of a version of an agent, in the base currency. */
export interface Pool {
  readonly actionType: string;
  readonly agentId: string;
  readonly variant: string;
  readonly decisions: number;
  /** Sum of expected − realised. */
  readonly expected: number;
  /** Sum of the probabilities of a further loss, and of their squares. */
  readonly events: number;
  readonly eventSquares: number;
  /** Sum of probability × the square of the cost of a loss. */
  readonly sizes: number;
  /** Sum of the costs of a loss × open share. */
  readonly stake: number;
  readonly realised: number;
}

/** Input of a simulation. */
export interface Simulation {
  readonly pools: readonly Pool[];
  readonly estimator: Pick<Estimator, 'modelOf'>;
  readonly dispersion: Dispersion | null;
  /** The same seed gives the same result. */
  readonly seed: string;
}

/** Decisions that share all rates. */
export interface Leaf {
  readonly agentId: string;
  readonly variant: string;
  readonly outcomes: LossTally | undefined;
  /** Probabilities that the version changed the odds of its agent by each of `CHANGES`. */
  readonly changes: readonly number[];
  /** Expected number of losses. */
  readonly events: number;
  /** Mean probability of a loss, and its odds ÷ those of the rate of the version. */
  readonly probability: number;
  readonly factor: number;
  /** Mean cost of a loss, and the variance of its logarithm. */
  readonly size: number;
  readonly sizeVariance: number;
}

/** The other decisions of an action type: their agents and versions average out. */
export interface Remainder extends Leaf {
  /** Variance of the logarithm of their common rate around that of the type. */
  readonly variance: number;
}

export interface TypePlan {
  /** Sorted by agent. */
  readonly leaves: readonly Leaf[];
  readonly rest: Remainder | null;
  /** Variance of the logarithm of the mean cost of a loss, which all losses of the type share. */
  readonly sizeUncertainty: number;
  /** Posterior of the rate of the type, and the outcomes of its agents, at indexes of `SPREADS`. */
  at(agents: number, versions: number): AtSpread;
}

interface AtSpread {
  readonly rates: Beta;
  readonly agents: ReadonlyMap<string, LossTally>;
}

export interface AggregatePlan {
  readonly expected: number;
  readonly realised: number;
  readonly basis: 'prior' | 'experience';
  readonly dispersion: Dispersion;
  readonly types: readonly TypePlan[];
  /** Mean and variance of all that is too small to be drawn by itself. */
  readonly others: { readonly mean: number; readonly variance: number };
}

/** Limits of the work of a draw. */
const MAX_LEAVES = 96;
const MAX_TYPES = 32;
/** Amounts are stored with six decimals: smaller ones count as zero. */
const NEGLIGIBLE = 1e-6;

/** Decides what is drawn by itself: the versions with the largest expected cost. Pauses after each action type. */
export function* planInSteps({ pools, estimator, dispersion }: Simulation): Steps<AggregatePlan> {
  const merged = mergePools(pools);
  const open = merged.filter(({ expected }) => expected > NEGLIGIBLE);
  const chosen = new Set([...open].sort((a, b) => b.expected - a.expected).slice(0, MAX_LEAVES));
  const groups: { own: Pool[]; model: ActionTypeModel; sum: number }[] = [];
  for (const [actionType, own] of groupByType(open)) {
    const sum = sumOf(own, (pool) => pool.expected);
    groups.push({ own, model: estimator.modelOf(actionType), sum });
    yield;
  }
  groups.sort((a, b) => b.sum - a.sum);
  const realised = sumOf(merged, (pool) => pool.realised);
  const expected = sumOf(open, (pool) => pool.expected);
  const assumed = sumOf(groups, ({ model, sum }) => (model.isPrior ? sum : 0));
  return {
    expected: expected + realised,
    realised,
    basis: expected === 0 || assumed * 2 > expected ? 'prior' : 'experience',
    dispersion: dispersion ?? NO_DISPERSION,
    types: groups.slice(0, MAX_TYPES).map(({ own, model }) => planType(own, chosen, model)),
    others: othersOf(groups.slice(MAX_TYPES)),
  };
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Sorted, so that the order of the pools does not matter. */
function mergePools(pools: readonly Pool[]): Pool[] {
  const byKey = new Map<string, Pool>();
  for (const pool of pools) {
    const key = JSON.stringify([pool.actionType, pool.agentId, pool.variant]);
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? pool : addPools(before, pool));
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pool]) => pool);
}

function addPools(a: Pool, b: Pool): Pool {
  return {
    ...a,
    decisions: a.decisions + b.decisions,
    expected: a.expected + b.expected,
    events: a.events + b.events,
    eventSquares: a.eventSquares + b.eventSquares,
    sizes: a.sizes + b.sizes,
    stake: a.stake + b.stake,
    realised: a.realised + b.realised,
  };
}

function groupByType(pools: readonly Pool[]): Map<string, Pool[]> {
  const byType = new Map<string, Pool[]>();
  for (const pool of pools) {
    const group = byType.get(pool.actionType);
    if (group === undefined) byType.set(pool.actionType, [pool]);
    else group.push(pool);
  }
  return byType;
}

function planType(
  pools: readonly Pool[],
  chosen: ReadonlySet<Pool>,
  model: ActionTypeModel,
): TypePlan {
  const { rates, tallies, prior, severity } = model;
  const left = pools.filter((pool) => !chosen.has(pool));
  const known = new Map<string, AtSpread>();
  return {
    leaves: pools.filter((pool) => chosen.has(pool)).map((pool) => leafOf(pool, model)),
    rest: left.length === 0 ? null : remainderOf(left, model),
    sizeUncertainty: Math.log1p(severity.uncertainty),
    at(agents, versions) {
      const key = `${agents} ${versions}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const spread = { agents: SPREADS[agents] ?? 0, versions: SPREADS[versions] ?? 0 };
      const pooled = rates.agents.size === 0 ? rates : poolRates(tallies, prior, spread);
      const own = [...pooled.agents].map(([id, { information }]): [string, LossTally] => [
        id,
        information,
      ]);
      const at = { rates: pooled.type, agents: new Map(own) };
      known.set(key, at);
      return at;
    },
  };
}

function leafOf(pool: Pool, model: ActionTypeModel): Leaf {
  const { agentId, variant, expected } = pool;
  const { events, squares, sizes } = momentsOf(pool);
  const probability = Math.min(1 - 1e-9, Math.max(1e-12, squares / events));
  const { version } = model.rateOf(agentId, variant);
  const size = expected / events;
  // Costs differ because amounts do, and because losses take different shares of them.
  const amounts = Math.max(1, sizes / (events * size * size));
  return {
    agentId,
    variant,
    changes: version.changes,
    outcomes: model.rates.agents.get(agentId)?.variants.find((one) => one.variant === variant),
    events,
    probability,
    factor: oddsOf(probability) / oddsOf(version.rate),
    size,
    sizeVariance: Math.log(amounts) + model.severity.spread ** 2,
  };
}

/** Estimates of the first version have no moments: they are taken as equal decisions. */
function momentsOf({ events, eventSquares, sizes, decisions, expected, stake }: Pool) {
  if (events > 0) return { events, squares: eventSquares, sizes };
  const probability = Math.min(1, expected / Math.max(stake, expected));
  const assumed = Math.max(1, decisions) * probability;
  return { events: assumed, squares: assumed * probability, sizes: expected ** 2 / assumed };
}

function remainderOf(pools: readonly Pool[], model: ActionTypeModel): Remainder {
  const [first, ...others] = pools.map((pool) => ({ ...pool, agentId: '', variant: '' }));
  if (first === undefined) throw new Error('the remainder of an action type is empty');
  const sum = others.reduce(addPools, first);
  const concentration = sumOf(pools, ({ expected }) => (expected / sum.expected) ** 2);
  const { agents, versions } = model.rates.spread;
  const leaf = leafOf(sum, model);
  return {
    ...leaf,
    factor: oddsOf(leaf.probability) / oddsOf(model.rateOf('', '').type.rate),
    variance: Math.log1p((agents + versions) * concentration),
  };
}

/** Action types beyond the largest are independent of one another. */
function othersOf(
  groups: readonly { readonly own: readonly Pool[]; readonly model: ActionTypeModel }[],
): AggregatePlan['others'] {
  let [mean, variance] = [0, 0];
  for (const { own, model } of groups) {
    const rest = remainderOf(own, model);
    const cost = rest.events * rest.size;
    const shared = (1 + model.rateOf('', '').type.variance) * Math.exp(rest.variance) - 1;
    mean += cost;
    variance += cost ** 2 * shared + (cost ** 2 * Math.exp(rest.sizeVariance)) / rest.events;
  }
  return { mean, variance };
}
