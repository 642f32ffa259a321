import { learnSpread, meanSpread } from './dispersion.js';
import type {
  ActionTypeExperience,
  Dispersion,
  Experience,
  Outcomes,
  SeverityTally,
} from './experience.js';
import { type LossTally, thinTally, totalOf } from './rates.js';
import { addSize, learnSizes, meanFactor, type SizeTallies, sizeCurve } from './sizes.js';

/** Outcomes of some decisions of a version of an agent, one confidence bin, one oversight and one size. */
export interface OutcomesRow extends Outcomes {
  readonly action_type: string;
  /** Band of the stated amount, as in `SizeOutcomes`; null if none is stated in the base currency. */
  readonly size_band: number | null;
  /** Whether further losses of these decisions may become known. */
  readonly is_fresh: boolean;
  readonly agent_id: string;
  readonly variant: string;
  /** Losses ÷ amounts at risk: sum, sum of squares and count. */
  readonly severity_sum: number;
  readonly severity_squares: number;
  readonly severity_count: number;
}

/** Number of known amounts at risk of an action type from e^(bin/50) to e^((bin+1)/50). */
export interface AmountsRow {
  readonly action_type: string;
  readonly bin: number;
  readonly decisions: number;
}

/** Bins of amounts per factor of e: each is 2 % wide, so a median is exact to within 1 %. */
export const AMOUNT_BINS = 50;
/** A median of fewer amounts is not used. */
const MIN_AMOUNTS = 5;

/**
 * Callers choose action types, agents and versions freely. Later ones than the first MAX_SEEN are ignored,
 * and those with the most outcomes are kept, because each process caches the result and snapshots stay.
 */
const MAX_SEEN = { types: 10_000, variants: 50_000 };
const MAX_KEPT = { types: 1000, variants: 2000 };
/** The outcomes of versions that are not kept, as one agent whose name no agent can have. */
const OTHERS = '';

interface Variant {
  readonly agentId: string;
  readonly variant: string;
  readonly mature: Resolved;
  readonly fresh: Resolved;
}

/** Outcomes by confidence and oversight, and the same decisions by size. */
interface Resolved {
  readonly outcomes: Map<string, Outcomes>;
  readonly sizes: SizeTallies;
}

const nothing = (): Resolved => ({ outcomes: new Map(), sizes: new Map() });

function addAll(to: Resolved, from: Resolved): void {
  for (const [key, row] of from.outcomes) {
    to.outcomes.set(key, addOutcomes(to.outcomes.get(key), row));
  }
  for (const [band, tally] of from.sizes) addSize(to.sizes, band, tally);
}

interface Learned {
  readonly variants: Map<string, Variant>;
  readonly amounts: Map<number, number>;
  severity: SeverityTally;
  freshLosses: number;
}

/** Adds up the outcomes and amounts of a ledger's decisions. */
export class Learner {
  readonly #byType = new Map<string, Learned>();
  #variants = 0;

  addOutcomes(rows: readonly OutcomesRow[]): void {
    for (const row of rows) {
      const learned = this.#of(row.action_type);
      if (learned === undefined) continue;
      const variant = this.#variantOf(learned, row);
      const { outcomes, sizes } = row.is_fresh ? variant.fresh : variant.mature;
      if (row.is_fresh) learned.freshLosses += row.losses;
      const key = `${row.confidence_bin} ${row.oversight}`;
      outcomes.set(key, addOutcomes(outcomes.get(key), row));
      addSize(sizes, row.size_band, row);
      const { count, sum, squares } = learned.severity;
      learned.severity = {
        count: count + row.severity_count,
        sum: sum + row.severity_sum,
        squares: squares + row.severity_squares,
      };
    }
  }

  addAmounts(rows: readonly AmountsRow[]): void {
    for (const { action_type, bin, decisions } of rows) {
      const amounts = this.#of(action_type)?.amounts;
      amounts?.set(bin, (amounts.get(bin) ?? 0) + decisions);
    }
  }

  experience(): Experience {
    const kept = [...this.#byType]
      .map(([type, learned]) => ({ type, learned, count: countOf(learned) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
      .slice(0, MAX_KEPT.types);
    const all = kept.flatMap(({ learned }) => [...learned.variants.values()]);
    for (const { learned } of kept) if (learned.freshLosses > 0) includeFresh(learned);
    const named = new Set(
      all.length <= MAX_KEPT.variants
        ? all
        : all.sort((a, b) => resolvedOf(b) - resolvedOf(a)).slice(0, MAX_KEPT.variants),
    );
    const entries = kept.map(({ type, learned }): [string, ActionTypeExperience] => [
      type,
      {
        ...describeVariants([...learned.variants.values()], named),
        severity: learned.severity,
        median_amount: median(learned.amounts),
        largest_amount: largest(learned.amounts),
      },
    ]);
    const action_types = Object.fromEntries(entries);
    return { action_types, dispersion: learnDispersion(entries.map(([, own]) => own)) };
  }

  #of(actionType: string): Learned | undefined {
    const known = this.#byType.get(actionType);
    if (known !== undefined || this.#byType.size === MAX_SEEN.types) return known;
    const severity = { count: 0, sum: 0, squares: 0 };
    const fresh = { variants: new Map(), amounts: new Map(), severity, freshLosses: 0 };
    this.#byType.set(actionType, fresh);
    return fresh;
  }

  #variantOf({ variants }: Learned, { agent_id, variant }: OutcomesRow): Variant {
    const isFull = this.#variants >= MAX_SEEN.variants;
    const key = `${variant} ${agent_id}`;
    const known = variants.get(key) ?? (isFull ? variants.get(OTHERS) : undefined);
    if (known !== undefined) return known;
    const fresh: Variant = isFull
      ? { agentId: OTHERS, variant: '', mature: nothing(), fresh: nothing() }
      : { agentId: agent_id, variant, mature: nothing(), fresh: nothing() };
    variants.set(isFull ? OTHERS : key, fresh);
    this.#variants += 1;
    return fresh;
  }
}

/**
 * Recent decisions count by the share of their maturity that has passed, but only once one of them has cost
 * money: until then they would say that nothing goes wrong because nothing is known yet.
 */
function includeFresh({ variants }: Learned): void {
  for (const { mature, fresh } of variants.values()) {
    addAll(mature, fresh);
    fresh.outcomes.clear();
    fresh.sizes.clear();
  }
}

function addOutcomes(before: Outcomes | undefined, row: Outcomes): Outcomes {
  return {
    confidence_bin: row.confidence_bin,
    oversight: row.oversight,
    decisions: (before?.decisions ?? 0) + row.decisions,
    losses: (before?.losses ?? 0) + row.losses,
    confidence: (before?.confidence ?? 0) + row.confidence,
    confidence_squares: (before?.confidence_squares ?? 0) + row.confidence_squares,
    confidence_lost: (before?.confidence_lost ?? 0) + row.confidence_lost,
  };
}

/** Versions by agent and version; those that are not kept become one. */
function describeVariants(
  all: readonly Variant[],
  named: ReadonlySet<Variant>,
): Pick<ActionTypeExperience, 'variants' | 'sizes'> {
  const others = { agentId: OTHERS, variant: '', mature: nothing() };
  for (const variant of all) if (!named.has(variant)) addAll(others.mature, variant.mature);
  const kept = [...all.filter((variant) => named.has(variant)), others]
    .filter(({ mature }) => mature.outcomes.size > 0)
    .sort((a, b) => compare(a.agentId, b.agentId) || compare(a.variant, b.variant));
  const sizes = learnSizes(kept.map(({ mature }) => mature.sizes));
  const curve = sizeCurve(sizes);
  const variants = kept.map(({ agentId, variant, mature }) => ({
    agent_id: agentId,
    variant,
    size_factor: meanFactor(curve, mature.sizes),
    outcomes: [...mature.outcomes.values()].sort(
      (a, b) => a.confidence_bin - b.confidence_bin || (a.oversight < b.oversight ? -1 : 1),
    ),
  }));
  return { variants, sizes };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** How much versions of one agent, and agents of one action type, have differed. */
function learnDispersion(types: readonly ActionTypeExperience[]): Dispersion {
  const agents = types.map(({ variants }) => {
    const byAgent = new Map<string, LossTally[]>();
    for (const { agent_id, outcomes } of variants) {
      if (agent_id === OTHERS) continue;
      byAgent.set(agent_id, [...(byAgent.get(agent_id) ?? []), totalOf(outcomes)]);
    }
    return [...byAgent.values()];
  });
  const versions = learnSpread(agents.flat());
  const spread = meanSpread(versions);
  return { versions, agents: learnSpread(agents.map((group) => group.map(thinned(spread)))) };
}

/** The outcomes of an agent's versions, as independent decisions. */
function thinned(spread: number): (versions: readonly LossTally[]) => LossTally {
  return (versions) => {
    const all = totalOf(versions);
    if (versions.length === 1 || all.losses === 0) return all;
    const rate = Math.min(0.9, all.losses / all.decisions);
    return totalOf(versions.map((tally) => thinTally(tally, rate, spread)));
  };
}

const resolvedOf = ({ mature }: Variant): number =>
  totalOf([...mature.outcomes.values()]).decisions;

/** Number of outcomes and amounts. */
function countOf({ variants, amounts }: Learned): number {
  const decided = [...variants.values()].reduce((sum, variant) => sum + resolvedOf(variant), 0);
  return [...amounts.values()].reduce((sum, count) => sum + count, decided);
}

function median(amounts: ReadonlyMap<number, number>): number | null {
  const total = [...amounts.values()].reduce((sum, count) => sum + count, 0);
  if (total < MIN_AMOUNTS) return null;
  let below = 0;
  for (const [bin, count] of [...amounts].sort(([a], [b]) => a - b)) {
    below += count;
    if (below >= total / 2) return Math.exp((bin + 0.5) / AMOUNT_BINS);
  }
  return null;
}

/** Ten times, in bins. */
const FAR = AMOUNT_BINS * Math.log(10);

/** An amount that is far beyond all others is not taken for a usual one: a single other one of its size makes it so. */
function largest(amounts: ReadonlyMap<number, number>): number | null {
  const total = [...amounts.values()].reduce((sum, count) => sum + count, 0);
  if (total < MIN_AMOUNTS) return null;
  const [first, second] = [...amounts].sort(([a], [b]) => b - a);
  if (first === undefined) return null;
  const isAlone = first[1] === 1 && second !== undefined && first[0] - second[0] > FAR;
  const bin = isAlone ? second[0] : first[0];
  return Math.exp((bin + 1) / AMOUNT_BINS);
}
