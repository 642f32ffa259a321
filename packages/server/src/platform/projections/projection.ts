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
