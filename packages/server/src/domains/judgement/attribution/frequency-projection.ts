import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  OutdatedPartError,
  type Projection,
  type ProjectionPart,
  rangesOf,
} from '../../../platform/projections/projection.js';
import { addCounts } from './extract.js';
import { extractedUntil } from './feature-projections.js';
import { unpackFeatures } from './rules/packed-features.js';
import { selectExtracted, selectPackedOf } from './store/decision-features.js';
import { lockAttribution, selectState } from './store/models.js';
import { compareFrequencies, FREQUENCIES } from './store/tokens.js';

/** Decisions that are counted together. */
const DECISIONS = 500;
/** Tokens that are compared together. */
const TOKENS = 2000;

/** How many decisions hold a value: it follows from the features of a sample of them. */
export const tokenFrequencies: Projection = {
  name: 'token-frequencies',
  makes: ['token_frequencies.*'],
  after: ['features'],
  rows: FREQUENCIES,
  parts: frequencyParts,
  lock: lockAttribution,
};

async function* frequencyParts(ledger: LedgerReader): AsyncGenerator<ProjectionPart> {
  const counts = new Counts();
  await counts.follow(ledger);
  yield* rangesOf(
    async (after: number | null) => counts.end(after),
    (reader, range) => counts.compare(reader, range),
  );
}

/**
 * The counts of a ledger, up to the decision that a reader sees as extracted last. They grow with the logarithm of the
 * ledger, so they are kept in memory. An erasure changes the features of a decision that is counted already: then all are
 * counted again.
 */
class Counts {
  readonly #byToken = new Map<number, number>();
  #until = 0;
  /** Null before they are counted. */
  #erasures: number | null = null;

  async follow(reader: LedgerReader): Promise<void> {
    const { erasures } = await selectState(reader);
    if (this.#erasures !== null && erasures !== this.#erasures) {
      this.#byToken.clear();
      this.#until = 0;
      this.#erasures = null;
      throw new OutdatedPartError('fields of decisions are being erased: run the rebuild again');
    }
    this.#erasures = erasures;
    const until = await extractedUntil(reader);
    while (this.#until < until) await this.#add(reader, Math.min(this.#until + DECISIONS, until));
  }

  /** The last one of some tokens. */
  end(after: number | null): number | null {
    return this.#tokens({ after, until: null })[TOKENS - 1] ?? null;
  }

  async compare(reader: LedgerReader, range: KeyRange<number>): Promise<RowComparison> {
    await this.follow(reader);
    const rows = this.#tokens(range).map((token) => ({
      token,
      decisions: this.#byToken.get(token) ?? 0,
    }));
    return compareFrequencies(reader, range, rows);
  }

  #tokens({ after, until }: KeyRange<number>): number[] {
    return [...this.#byToken.keys()]
      .filter((token) => (after === null || token > after) && (until === null || token <= until))
      .sort((a, b) => a - b);
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
