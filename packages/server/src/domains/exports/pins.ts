import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { ExportRow } from './store/export-row.js';
import { selectPins } from './store/select-pins.js';

/** What an export holds: fixed when it begins, so that it means the same after a restart. */
export interface Pins {
  /** Range of time, ms; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** The run: the smallest unbroken part of the chain that holds the decisions of the range. */
  readonly firstSeq: number;
  /** 0 without any. */
  readonly lastSeq: number;
  /** Decisions in the range. */
  readonly decisions: number;
  /** Where the chain of activity ended when the export began. */
  readonly since: number;
}

/** Fixes what an export holds, as the ledger is now. */
export async function pinNow(db: Queryable, scope: Scope, row: ExportRow): Promise<Pins> {
  const range = { start: row.range_start, end: row.range_end };
  const { firstSeq, lastSeq, ...rest } = await selectPins(db, scope, range);
  return { ...range, firstSeq: firstSeq ?? 1, lastSeq: lastSeq ?? 0, ...rest };
}
