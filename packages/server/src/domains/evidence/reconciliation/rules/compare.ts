import { type RecordState, UNPROVEN, UNSTATED } from '@decision-ledger/proof/replay/state';
import type { RowTableName } from './tables.js';
import type { Tally } from './tally.js';
import { isFixed, type UnstatedColumns } from './unstated.js';

/** A stored row: the columns that records state, as brief texts. */
export interface StoredRow {
  /** As stored; rows are read in its order. */
  readonly key: string;
  /** The subject of its records. */
  readonly subject: string;
  readonly columns: ReadonlyMap<string, string | null>;
}

/** What a comparison of rows collects. */
export interface Comparison {
  readonly tally: Tally;
  readonly unstated: UnstatedColumns;
}

/** Compares a row with the state that its records say. */
export function compareRow(
  { tally }: Comparison,
  table: RowTableName,
  row: StoredRow,
  state: RecordState,
): void {
  for (const [column, actual] of row.columns) {
    const expected = state.get(column) ?? null;
    if (expected === UNSTATED || expected === UNPROVEN) {
      tally.unproven(table, column);
    } else if (actual !== expected) {
      tally.add({ kind: 'changed_row', table, key: row.subject, column, expected, actual });
    }
  }
}

/**
 * Adds the columns of an old row that no record stated when the baseline was made.
 * @param state what its records up to the baseline say
 */
export function addUnstated(
  { unstated }: Comparison,
  table: RowTableName,
  row: StoredRow,
  state: RecordState,
): void {
  for (const [column, value] of row.columns) {
    const name = `${table}.${column}`;
    if (isFixed(name) && state.get(column) === UNSTATED) unstated.add(name, row.subject, value);
  }
}
