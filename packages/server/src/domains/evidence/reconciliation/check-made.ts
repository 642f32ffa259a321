import type { Ledger } from '../../../platform/ledger.js';
import { ROW_TABLES, type RowTableName } from '../../../tables/recorded-tables.js';
import { type MadeRow, selectMade } from '../../log/activity/index.js';
import { REPLAYS } from './rules/replays.js';
import type { ReconciliationTally } from './rules/tally.js';
import { selectExisting } from './store/rows.js';

/** Records of the chain that are looked at together. */
const STEP = 2000;

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
  for (let after = 0; after < until; after += STEP) {
    const made = await selectMade(ledger, ALL_MAKINGS, {
      after,
      until: Math.min(after + STEP, until),
    });
    for (const name of TABLE_NAMES) await checkTable(ledger, name, made, tally);
  }
}

async function checkTable(
  ledger: Ledger,
  name: RowTableName,
  made: readonly MadeRow[],
  tally: ReconciliationTally,
): Promise<void> {
  const { makings } = REPLAYS[name];
  const subjects = made.flatMap(({ type, subject }) => (makings.includes(type) ? [subject] : []));
  const unique = [...new Set(subjects)];
  const existing = await selectExisting(ledger, ROW_TABLES[name], unique);
  for (const key of unique) {
    if (existing.has(key)) continue;
    tally.add({
      ...{ kind: 'missing_row', table: name, key },
      ...{ column: null, expected: null, actual: null },
    });
  }
}
