import type { ActionTypeExperience, Experience, Outcomes, Oversight } from './estimator.js';

/** Outcomes of some decisions of an action type, of one bin of confidence and one oversight. */
export interface OutcomesRow {
  readonly action_type: string;
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  readonly decisions: number;
  readonly losses: number;
  /** Losses ÷ amounts at risk: their sum and how many. */
  readonly severity_sum: number;
  readonly severity_count: number;
}

/** How many known amounts at risk of an action type lie between e^(bin/50) and e^((bin+1)/50). */
export interface AmountsRow {
  readonly action_type: string;
  readonly bin: number;
  readonly decisions: number;
}

/** Bins of amounts to a factor of e: each is 2 % wide, so that a median is known to within 1 %. */
export const AMOUNT_BINS = 50;
/** Fewer amounts than these have no median worth the name. */
const LEAST_AMOUNTS = 5;

/**
 * Action types are anybody's words: of more than these none is looked at, and of those looked at the
 * ones with the most to tell are kept, since every process has them at hand.
 */
const MAX_SEEN = 10_000;
const MAX_KEPT = 1000;

interface Learned {
  readonly outcomes: Map<string, Outcomes>;
  readonly amounts: Map<number, number>;
  severity: { sum: number; count: number };
}

/** Adds up, part by part, what a ledger's decisions teach. */
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
        ...{ confidence_bin: row.confidence_bin, oversight: row.oversight },
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
    const telling = [...this.#byType]
      .map(([type, learned]) => ({ type, learned, worth: worthOf(learned) }))
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth || (a.type < b.type ? -1 : 1))
      .slice(0, MAX_KEPT);
    const entries = telling.map(({ type, learned }): [string, ActionTypeExperience] => [
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

/** How many outcomes and amounts there are. */
function worthOf({ outcomes, amounts }: Learned): number {
  const decided = [...outcomes.values()].reduce((sum, { decisions }) => sum + decisions, 0);
  return [...amounts.values()].reduce((sum, count) => sum + count, decided);
}

function median(amounts: ReadonlyMap<number, number>): number | null {
  const total = [...amounts.values()].reduce((sum, count) => sum + count, 0);
  if (total < LEAST_AMOUNTS) return null;
  let below = 0;
  for (const [bin, count] of [...amounts].sort(([a], [b]) => a - b)) {
    below += count;
    if (below >= total / 2) return Math.exp((bin + 0.5) / AMOUNT_BINS);
  }
  return null;
}
