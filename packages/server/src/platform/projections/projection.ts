import type { LedgerReader, LedgerWriter } from '../ledger.js';
import type { DerivedRows, RowComparison } from './derived-rows.js';

/** A part of the rows that a projection makes, small enough for one short transaction. */
export interface ProjectionPart {
  /** Up to where the projection is compared after this part, in units of its own. */
  readonly done: number;
  readonly total: number;
  /**
   * Makes the rows of the part again and compares them with the stored ones, in the state that the reader sees. The first
   * call may take long, and holds no lock; one that follows soon must be short.
   * @throws OutdatedPartError
   */
  compare(reader: LedgerReader): Promise<RowComparison>;
}

/** Derived rows: what they follow from, and how they are made again. */
export interface Projection {
  readonly name: string;
  /** The derived columns that it makes: `table.*` for all of a table, or `table.column`. */
  readonly makes: readonly string[];
  /** The projections whose rows it is made of. */
  readonly after: readonly string[];
  readonly rows: DerivedRows;
  /** All parts, in their order. */
  parts(ledger: LedgerReader): AsyncIterable<ProjectionPart>;
  /** Keeps out whoever else writes the rows, or changes what they follow from, until the transaction ends. */
  lock(tx: LedgerWriter): Promise<void>;
  /** Why no row differs for now, whatever is stored; null if rows can be judged. */
  waitsFor?(reader: LedgerReader): Promise<string | null>;
}

export interface PartComparison extends RowComparison {
  /** Why no row differs for now; null if the rows were judged. */
  readonly waits_for: string | null;
}

/** @param reader one state for both: whether rows can be judged may change from one part to the next */
export async function comparePart(
  reader: LedgerReader,
  projection: Projection,
  part: ProjectionPart,
): Promise<PartComparison> {
  const compared = await part.compare(reader);
  return { ...compared, waits_for: (await projection.waitsFor?.(reader)) ?? null };
}

/** A fact or a published value is wrong or missing, so what follows from it cannot be made again. */
export class UnmakeableError extends Error {
  override readonly name = 'UnmakeableError';
}

/** What was computed before does not hold any more: the part is compared again, without a lock at first. */
export class OutdatedPartError extends Error {
  override readonly name = 'OutdatedPartError';
}

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
 * @param readHead the last record. Others may be appended during the walk; the last span has no end
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
