import type { RecordedChange } from '@decision-ledger/proof/replay/state';
import type { Ledger } from '../../../platform/ledger.js';
import { ROW_TABLES, type RowTableName } from '../../../tables/recorded-tables.js';
import { selectHistories } from '../../log/activity/index.js';
import { compareRow, type StoredRow } from './rules/compare.js';
import { REPLAYS } from './rules/replays.js';
import type { ReconciliationTally } from './rules/tally.js';
import { selectTableRows } from './store/rows.js';

/** Rows that are read with their records in one snapshot. */
const STEP = 250;

/** Compares each row of a table with its records. */
export async function checkRows(
  ledger: Ledger,
  name: RowTableName,
  tally: ReconciliationTally,
): Promise<void> {
  const table = ROW_TABLES[name];
  const { types } = REPLAYS[name];
  let after: string | null = null;
  for (;;) {
    const from: string | null = after;
    const page = await ledger.read(async (tx) => {
      const rows = await selectTableRows(tx, table, from, STEP);
      const subjects = rows.map(({ subject }) => subject);
      return { rows, histories: await selectHistories(tx, subjects, types) };
    });
    for (const row of page.rows) checkRow(name, row, page.histories.get(row.subject) ?? [], tally);
    tally.checked(page.rows.length);
    after = page.rows.at(-1)?.key ?? null;
    if (page.rows.length < STEP) return;
  }
}

function checkRow(
  table: RowTableName,
  row: StoredRow,
  changes: readonly RecordedChange[],
  tally: ReconciliationTally,
): void {
  const replay = REPLAYS[table];
  const [made] = changes;
  if (made === undefined || !replay.makings.includes(made.type)) {
    const nothing = { column: null, expected: null, actual: null };
    tally.add({ kind: 'unexpected_row', table, key: row.subject, ...nothing });
    return;
  }
  compareRow(tally, table, row, replay.replay(changes));
}
