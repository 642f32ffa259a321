import type { ReconciliationFinding } from '@decision-ledger/contract/chain';
import { type RecordedChange, UNPROVEN } from '@decision-ledger/proof/replay/state';
import type { Ledger } from '../../../platform/ledger.js';
import { ROW_TABLES, type RowTableName } from '../../../tables/recorded-tables.js';
import { type MadeRow, selectHistories, selectMade } from '../../log/activity/index.js';
import { REPLAYS } from './rules/replays.js';
import type { ReconciliationTally } from './rules/tally.js';
import { type StoredRow, selectExisting, selectTableRows } from './store/rows.js';

/** Rows that are read with their records in one snapshot. */
const ROWS_STEP = 250;

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
      const rows = await selectTableRows(tx, table, from, ROWS_STEP);
      const subjects = rows.map(({ subject }) => subject);
      return { rows, histories: await selectHistories(tx, subjects, types) };
    });
    for (const row of page.rows) {
      const changes = page.histories.get(row.subject) ?? [];
      for (const finding of findingsOf(name, row, changes)) tally.add(finding);
    }
    tally.checked(page.rows.length);
    after = page.rows.at(-1)?.key ?? null;
    if (page.rows.length < ROWS_STEP) return;
  }
}

/** Compares a row with the state that its records say. */
function* findingsOf(
  table: RowTableName,
  row: StoredRow,
  changes: readonly RecordedChange[],
): Generator<ReconciliationFinding> {
  const replay = REPLAYS[table];
  const [made] = changes;
  if (made === undefined || !replay.makings.includes(made.type)) {
    const nothing = { column: null, expected: null, actual: null };
    yield { kind: 'unexpected_row', table, key: row.subject, ...nothing };
    return;
  }
  const state = replay.replay(changes);
  for (const [column, actual] of row.columns) {
    const expected = state.get(column) ?? null;
    // Nothing is withheld from the service.
    if (actual === expected || expected === UNPROVEN) continue;
    yield { kind: 'changed_row', table, key: row.subject, column, expected, actual };
  }
}

/** Records of the chain that are looked at together. */
const RECORDS_STEP = 2000;

const TABLE_NAMES = Object.keys(ROW_TABLES).filter((name): name is RowTableName =>
  Object.hasOwn(REPLAYS, name),
);
const ALL_MAKINGS = TABLE_NAMES.flatMap((name) => REPLAYS[name].makings);

/**
 * Looks for the row of each object that the chain records. No row is ever deleted, so a row that was
 * written with its record is still there.
 * @param until the end of the verified chain
 */
export async function checkMade(
  ledger: Ledger,
  until: number,
  tally: ReconciliationTally,
): Promise<void> {
  for (let after = 0; after < until; after += RECORDS_STEP) {
    const made = await selectMade(ledger, ALL_MAKINGS, {
      after,
      until: Math.min(after + RECORDS_STEP, until),
    });
    for (const name of TABLE_NAMES) {
      for (const key of await findMissing(ledger, name, made)) {
        const nothing = { column: null, expected: null, actual: null };
        tally.add({ kind: 'missing_row', table: name, key, ...nothing });
      }
    }
  }
}

/** The subjects of records that have no row. */
async function findMissing(
  ledger: Ledger,
  name: RowTableName,
  made: readonly MadeRow[],
): Promise<string[]> {
  const { makings } = REPLAYS[name];
  const subjects = made.flatMap(({ type, subject }) => (makings.includes(type) ? [subject] : []));
  const unique = [...new Set(subjects)];
  const existing = await selectExisting(ledger, ROW_TABLES[name], unique);
  return unique.filter((key) => !existing.has(key));
}
