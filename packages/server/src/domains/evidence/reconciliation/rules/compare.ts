import { type RecordState, UNPROVEN } from '@decision-ledger/proof/replay/state';
import type { RowTableName } from '../../../../tables/recorded-tables.js';
import type { ReconciliationTally } from './tally.js';

/** A stored row: the columns that records state, as brief texts. */
export interface StoredRow {
  /** As stored; rows are read in its order. */
  readonly key: string;
  /** The subject of its records. */
  readonly subject: string;
  readonly columns: ReadonlyMap<string, string | null>;
}

/** Compares a row with the state that its records say. */
export function compareRow(
  tally: ReconciliationTally,
  table: RowTableName,
  row: StoredRow,
  state: RecordState,
): void {
  for (const [column, actual] of row.columns) {
    const expected = state.get(column) ?? null;
    // Nothing is withheld from the service.
    if (actual === expected || expected === UNPROVEN) continue;
    tally.add({ kind: 'changed_row', table, key: row.subject, column, expected, actual });
  }
}
