import type { ActionTypeExperience, Experience, Outcomes, Oversight } from './estimator.js';

/** Outcomes of some decisions of an action type, one confidence bin and one oversight. */
export interface OutcomesRow {
  readonly action_type: string;
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  readonly decisions: number;
  readonly losses: number;
  /** Losses ÷ amounts at risk: sum and count. */
  readonly severity_sum: number;
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
 * Callers choose action types freely. Later ones than the first MAX_SEEN are ignored, and those with the
 * most outcomes and amounts are kept, because each process caches the result.
 */
const MAX_SEEN = 10_000;
const MAX_KEPT = 1000;

interface Learned {
  readonly outcomes: Map<string, Outcomes>;
  readonly amounts: Map<number, number>;
  severity: { sum: number; count: number };
}

/** Adds up the outcomes and amounts of a ledger's decisions. */
export class Learner {
  readonly #byType = new Map<string, Learned>();

  addOutcomes(rows: readonly OutcomesRow[]): void {
    for (const row of rows) {
      const learned = this.#of(row.action_type);
      if (learned === undefined) continue;
      const { outcomes, severity } = learned;
      const key = `${row.confidence_bin} ${row.oversight}`;
      const before = outcomes.get(key) ?? { decisions: 0, losses: 0 };
      outcomes.set(key, {
        confidence_bin: row.confidence_bin,
        oversight: row.oversight,
        decisions: before.decisions + row.decisions,
        losses: before.losses + row.losses,
      });
      severity.sum += row.severity_sum;
      severity.count += row.severity_count;
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
      .slice(0, MAX_KEPT);
    const entries = kept.map(({ type, learned }): [string, ActionTypeExperience] => [
      type,
      {
        outcomes: [...learned.outcomes.values()].sort(
          (a, b) => a.confidence_bin - b.confidence_bin || (a.oversight < b.oversight ? -1 : 1),
        ),
        severity: learned.severity,
        median_amount: median(learned.amounts),
      },
    ]);
    return { action_types: Object.fromEntries(entries) };
  }

  #of(actionType: string): Learned | undefined {
    const known = this.#byType.get(actionType);
    if (known !== undefined || this.#byType.size === MAX_SEEN) return known;
    const fresh = { outcomes: new Map(), amounts: new Map(), severity: { sum: 0, count: 0 } };
    this.#byType.set(actionType, fresh);
    return fresh;
  }
}

/** Number of outcomes and amounts. */
function countOf({ outcomes, amounts }: Learned): number {
  const decided = [...outcomes.values()].reduce((sum, { decisions }) => sum + decisions, 0);
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
