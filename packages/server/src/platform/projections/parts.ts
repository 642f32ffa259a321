import type { LedgerReader } from '../ledger.js';
import type { Comparison } from './differences.js';
import type { Part } from './projection.js';

/** Records of a chain by seq: `after` exclusive, `until` inclusive. */
export interface Span {
  readonly after: number;
  readonly until: number;
}

/** Rows after the last record of a chain belong to none. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * The rows of a chain's records, a step of records at a time.
 * @param readHead the last record. It may move meanwhile; the last span goes on after it without an end
 */
export async function* spansUntil(
  readHead: () => Promise<number>,
  step: number,
  compare: (reader: LedgerReader, span: Span) => Promise<Comparison>,
): AsyncGenerator<Part> {
  let head = await readHead();
  let after = 0;
  while (after < head) {
    const span = { after, until: Math.min(after + step, head) };
    yield { done: span.until, total: head, compare: (reader) => compare(reader, span) };
    after = span.until;
    if (after === head) head = await readHead();
  }
  const rest = { after, until: END };
  yield { done: after, total: after, compare: (reader) => compare(reader, rest) };
}

/** The rows of keyed objects, a page of keys at a time. */
export async function* pagesOf<Key>(
  next: (after: Key | null) => Promise<readonly Key[]>,
  compare: (reader: LedgerReader, keys: readonly Key[]) => Promise<Comparison>,
): AsyncGenerator<Part> {
  let done = 0;
  let page = await next(null);
  while (page.length > 0) {
    const [keys, last] = [page, page.at(-1)];
    done += keys.length;
    page = last === undefined ? [] : await next(last);
    yield { done, total: done + page.length, compare: (reader) => compare(reader, keys) };
  }
}

/** All that is left, in one part. */
export function wholeOf(compare: (reader: LedgerReader) => Promise<Comparison>): Part {
  return { done: 1, total: 1, compare };
}
