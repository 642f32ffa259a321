import type { LedgerReader, LedgerWriter } from '../ledger.js';
import type { Comparison, RowDifference } from './differences.js';

/** A part of the rows that a projection makes, small enough for one short transaction. */
export interface Part {
  /** Up to where the projection is compared after this part, in units of its own. */
  readonly done: number;
  readonly total: number;
  /** Makes the rows of the part again and compares them with the stored ones, in the state that the reader sees. */
  compare(reader: LedgerReader): Promise<Comparison>;
}

/** Derived rows: what they follow from, and how they are made again. */
export interface Projection {
  readonly name: string;
  /** The derived columns that it makes: `table.*` for all of a table, or `table.column`. */
  readonly makes: readonly string[];
  /** The projections whose rows it is made of. */
  readonly after: readonly string[];
  /** All parts, in their order. */
  parts(ledger: LedgerReader): AsyncIterable<Part>;
  /** Keeps out whoever else writes the rows, or changes what they follow from, until the transaction ends. */
  lock(tx: LedgerWriter): Promise<void>;
  /** Stores the rows as they should be. The caller holds the lock. */
  replace(tx: LedgerWriter, differences: readonly RowDifference[]): Promise<void>;
}

/** A fact or a published value is wrong or missing, so what follows from it cannot be made again. */
export class UnmakeableError extends Error {
  override readonly name = 'UnmakeableError';
}
