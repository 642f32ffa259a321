import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type Comparison, replaceRows } from '../../../platform/projections/differences.js';
import type { Part, Projection } from '../../../platform/projections/projection.js';
import { addCounts } from './extract.js';
import { extractedUntil } from './feature-projections.js';
import { unpackFeatures } from './rules/packed-features.js';
import { lockAttribution, selectState } from './store/attribution-states.js';
import { selectExtracted, selectPackedOf } from './store/feature-rows.js';
import {
  compareFrequencies,
  deleteFrequencyRows,
  insertFrequencyRows,
} from './store/token-frequencies.js';

/** Decisions that are counted together. */
const DECISIONS = 500;
/** Tokens that are compared together. */
const TOKENS = 2000;

/** How many decisions hold a value: it follows from the features of a sample of them. */
export const tokenFrequencies: Projection = {
  name: 'token-frequencies',
  makes: ['token_frequencies.*'],
  after: ['features'],
  parts: frequencyParts,
  lock: lockAttribution,
  replace: (tx, differences) =>
    replaceRows(
      differences,
      (keys) => deleteFrequencyRows(tx, keys),
      (rows) => insertFrequencyRows(tx, rows),
    ),
};

async function* frequencyParts(ledger: LedgerReader): AsyncGenerator<Part> {
  const counts = new Counts();
  await counts.follow(ledger);
  const all = counts.tokens();
  for (let at = 0; at <= all.length; at += TOKENS) {
    const from = at === 0 ? null : (all[at - 1] ?? null);
    const isLast = at + TOKENS > all.length;
    const range = { from, to: isLast ? null : (all[at + TOKENS - 1] ?? null) };
    yield {
      ...{ done: Math.min(at + TOKENS, all.length), total: all.length },
      compare: (reader) => counts.compare(reader, range),
    };
  }
}

/** Tokens: `from` exclusive, `to` inclusive; null for no limit. */
export interface TokenSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The counts of a ledger, up to the decision that a reader sees as extracted last. They grow with the logarithm of the
 * ledger, so they are kept in memory. An erasure changes the features of a decision that is counted already: then all are
 * counted again.
 */
class Counts {
  #byToken = new Map<number, number>();
  #until = 0;
  #erasures = -1;

  async follow(reader: LedgerReader): Promise<void> {
    const { erasures } = await selectState(reader);
    const until = await extractedUntil(reader);
    if (erasures !== this.#erasures || until < this.#until) {
      this.#byToken = new Map();
      this.#until = 0;
      this.#erasures = erasures;
    }
    while (this.#until < until) await this.#add(reader, Math.min(this.#until + DECISIONS, until));
  }

  tokens(): number[] {
    return [...this.#byToken.keys()].sort((a, b) => a - b);
  }

  async compare(reader: LedgerReader, span: TokenSpan): Promise<Comparison> {
    await this.follow(reader);
    const { from, to } = span;
    const within = [...this.#byToken].filter(
      ([token]) => (from === null || token > from) && (to === null || token <= to),
    );
    const rows = within.map(([token, decisions]) => ({ token, decisions }));
    return compareFrequencies(reader, span, rows);
  }

  async #add(reader: LedgerReader, until: number): Promise<void> {
    const weights = new Map<number, number>();
    for (const { seq, decision_id } of await selectExtracted(reader, {
      after: this.#until,
      until,
    })) {
      const weight = sampleWeight(seq, decision_id);
      if (weight > 0) weights.set(seq, weight);
    }
    for (const { seq, features } of await selectPackedOf(reader, [...weights.keys()])) {
      addCounts(this.#byToken, unpackFeatures(features), weights.get(seq) ?? 0);
    }
    this.#until = until;
  }
}
