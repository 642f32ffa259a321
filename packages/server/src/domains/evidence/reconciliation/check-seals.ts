import type { ReconciliationFinding } from '@decision-ledger/contract/reconciliation';
import { briefText } from '@decision-ledger/proof/replay/state';
import type { Ledger } from '../../../platform/ledger.js';
import { SEALED_TABLES, type SealedTable } from '../../../tables/sealed-tables.js';
import type { RowsDigest, SealedRows } from './rules/seals.js';
import type { ReconciliationTally } from './rules/tally.js';
import { digestPart, lastPositions, readSeals } from './seal.js';

/**
 * Compares the rows that seals cover with their digests. A digest covers the rows of a night, so a finding
 * names the night and not the row. Rows after the last seal are unproven until the next one.
 */
export async function checkSeals(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  const seals = await readSeals(ledger);
  const ends = lastPositions(seals);
  for (const table of Object.values(SEALED_TABLES)) {
    for (const seal of seals) {
      const sealed = seal.get(table.table);
      if (sealed === undefined) continue;
      const digest = await ledger.read((tx) => digestPart(tx, table, sealed));
      tally.checked(digest.rows);
      if (digest.sha256 !== sealed.sha256) tally.add(findingOf(table, sealed, digest));
    }
    const rest = { after: ends.get(table.table) ?? null, until: null };
    const { rows } = await ledger.read((tx) => digestPart(tx, table, rest));
    for (const column of Object.keys(table.columns)) tally.unproven(table.table, column, rows);
  }
}

function findingOf(
  { table, position }: SealedTable,
  { after, until, rows, sha256 }: SealedRows,
  digest: RowsDigest,
): ReconciliationFinding {
  const key = after === null ? `until ${until}` : `after ${after} until ${until}`;
  const place = { table, key: `${position} ${key}`, column: null };
  if (digest.rows !== rows) {
    const kind = digest.rows < rows ? 'missing_row' : 'unexpected_row';
    return { kind, ...place, expected: briefText(rows), actual: briefText(digest.rows) };
  }
  return {
    ...{ kind: 'changed_row', ...place },
    ...{ expected: briefText(sha256), actual: briefText(digest.sha256) },
  };
}
