import type { LedgerReader } from '../ledger.js';
import type { RowComparison } from './derived-rows.js';
import type { ProjectionPart } from './projection.js';

/** Records of a chain by seq: `after` exclusive, `until` inclusive. */
export interface SeqRange {
  readonly after: number;
  readonly until: number;
}

/** Rows before the first record of a chain, or after the last one, belong to none. */
const START = Number.MIN_SAFE_INTEGER;
const END = Number.MAX_SAFE_INTEGER;

/**
 * The rows of a chain's records, a step of records at a time.
 * @param readHead the last record. It may move meanwhile; the last span goes on after it without an end
 */
export async function* spansUntil(
  readHead: () => Promise<number>,
  step: number,
  compare: (reader: LedgerReader, span: SeqRange) => Promise<RowComparison>,
): AsyncGenerator<ProjectionPart> {
  let head = await readHead();
  let done = 0;
  const after = () => (done === 0 ? START : done);
  while (done < head) {
    const span = { after: after(), until: Math.min(done + step, head) };
    yield { done: span.until, total: head, compare: (reader) => compare(reader, span) };
    done = span.until;
    if (done === head) head = await readHead();
  }
  const rest = { after: after(), until: END };
  yield { done, total: done, compare: (reader) => compare(reader, rest) };
}

/** Keys in their order: `after` exclusive, `until` inclusive; null for no limit. */
export interface KeyRange<Key> {
  readonly after: Key | null;
  readonly until: Key | null;
}

/**
 * All keys there can be, in ranges: so rows that no key of a source explains are in one of them.
 * @param end the last key of the range after a key; null if what is left is one range
 */
export async function* rangesOf<Key>(
  end: (after: Key | null) => Promise<Key | null>,
  compare: (reader: LedgerReader, range: KeyRange<Key>) => Promise<RowComparison>,
): AsyncGenerator<ProjectionPart> {
  let range: KeyRange<Key> | null = { after: null, until: await end(null) };
  for (let done = 1; range !== null; done += 1) {
    const part: KeyRange<Key> = range;
    range = part.until === null ? null : { after: part.until, until: await end(part.until) };
    const total = range === null ? done : done + 1;
    yield { done, total, compare: (reader) => compare(reader, part) };
  }
}

/** All that is left, in one part. */
export function wholeOf(compare: (reader: LedgerReader) => Promise<RowComparison>): ProjectionPart {
  return { done: 1, total: 1, compare };
}
