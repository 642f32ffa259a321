import { idTokens } from '@decision-ledger/attribution/hashed-features';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  rangesOf,
  type SeqRange,
  spansUntil,
} from '../../../platform/projections/projection.js';
import { readSettings } from '../../access/settings/index.js';
import { legibleFeatures, readingOf } from './extract.js';
import { isReadingAgain } from './read-outcomes.js';
import { unpackFeatures } from './rules/packed-features.js';
import {
  compareFeatures,
  FEATURE_ROWS,
  type FeatureRow,
  type PackedRow,
  selectDecisionFields,
  selectPacked,
  selectPackedOf,
} from './store/decision-features.js';
import { lockAttribution, selectState } from './store/models.js';
import {
  compareTokenRange,
  compareTokens,
  selectTokens,
  TOKENS,
  type TokenRow,
} from './store/tokens.js';

/** Decisions whose features are compared together. */
const DECISIONS = 100;
/** Rows of the index that are looked at together. */
const ROWS = 2000;
const PENDING = 'the settings changed, and not all outcomes have been read again yet';

/** The last decision of which features were extracted. */
export async function extractedUntil(reader: LedgerReader): Promise<number> {
  return (await selectState(reader)).extracted;
}

/** What can be compared of decisions, as hashes. */
export const decisionFeatures: Projection = {
  name: 'features',
  makes: ['decision_features.*'],
  after: [],
  rows: FEATURE_ROWS,
  async *parts(ledger) {
    yield* spansUntil(
      () => extractedUntil(ledger),
      DECISIONS,
      async (reader, span) => compareFeatures(reader, span, await extractedIn(reader, span)),
    );
  },
  lock: lockAttribution,
  waitsFor: async (reader) => ((await isReadingAgain(reader)) ? PENDING : null),
};

/** The features of the decisions of a span, as far as they were extracted. */
async function extractedIn(
  reader: LedgerReader,
  { after, until }: SeqRange,
): Promise<FeatureRow[]> {
  const end = Math.min(until, await extractedUntil(reader));
  const reading = readingOf(reader.scope, await readSettings(reader));
  const found: FeatureRow[] = [];
  for (let last = after; last < end; ) {
    const { rows } = await selectDecisionFields(reader, last, end);
    if (rows.length === 0) break;
    found.push(...(await mapInTurns(rows, (row) => legibleFeatures(reading, row))).flat());
    last = rows.at(-1)?.seq ?? end;
  }
  return found;
}

/** Which decisions hold an identifier: it follows from their features. */
export const decisionTokens: Projection = {
  name: 'tokens',
  makes: ['decision_tokens.*'],
  after: ['features'],
  rows: TOKENS,
  async *parts(ledger) {
    yield* spansUntil(
      () => extractedUntil(ledger),
      DECISIONS,
      async (reader, span) => compareTokens(reader, heldBy(await selectPacked(reader, span))),
    );
    // The index is ordered by token, so what is too much in it is found in that order.
    yield* rangesOf((after) => endOfTokens(ledger, after), compareStored);
  },
  lock: lockAttribution,
};

async function endOfTokens(ledger: LedgerReader, after: TokenRow | null): Promise<TokenRow | null> {
  const range = { after, until: null };
  const [last] = await selectTokens(ledger, range, { offset: ROWS - 1, limit: 1 });
  return last ?? null;
}

async function compareStored(
  reader: LedgerReader,
  range: KeyRange<TokenRow>,
): Promise<RowComparison> {
  const stored = await selectTokens(reader, range);
  const seqs = [...new Set(stored.map(({ seq }) => seq))];
  const held = new Set(heldBy(await selectPackedOf(reader, seqs)).map(textOf));
  const expected = stored.filter((row) => held.has(textOf(row)));
  return { ...(await compareTokenRange(reader, range, expected)), rows: 0 };
}

const textOf = ({ token, timestamp, seq }: TokenRow) => `${token} ${timestamp} ${seq}`;

function heldBy(rows: readonly PackedRow[]): TokenRow[] {
  return rows.flatMap(({ seq, timestamp, features: packed }) =>
    idTokens(unpackFeatures(packed)).map((token) => ({
      ...{ token, seq, timestamp: formatTimestamp(timestamp) },
    })),
  );
}
