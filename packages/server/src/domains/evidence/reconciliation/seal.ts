import type { ReconciliationFinding } from '@decision-ledger/contract/chain';
import { briefText } from '@decision-ledger/proof/replay/state';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { SEALED_TABLES, type SealedTable } from '../../../tables/sealed-tables.js';
import { recordActivity } from '../../log/activity/index.js';
import { RowsDigest, readSeal, type SealedRows } from './rules/seals.js';
import type { ReconciliationTally } from './rules/tally.js';
import {
  type SealedPart,
  selectLastPosition,
  selectSealedRows,
  selectSeals,
} from './store/sealed-rows.js';

/** The subject of all seals: a ledger has one series of them. */
const SUBJECT = 'seal';
/** Rows that one query reads. */
const STEP = 2000;
const DAY_MS = 86_400_000;

/**
 * Records the digests of the rows that were added since the last seal to tables that no other record
 * states, so that a later change of them is found.
 * @returns whether a seal was recorded
 */
export function sealTables(ledger: Ledger): Promise<boolean> {
  return ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const ends = lastPositions(await readSeals(tx));
    const tables: Record<string, SealedRows> = {};
    for (const table of Object.values(SEALED_TABLES)) {
      const limit = table.isDaily ? dayOf(tx.clock.now() - 2 * DAY_MS) : null;
      const part = await newPart(tx, table, ends.get(table.table) ?? null, limit);
      if (part !== null) tables[table.table] = part;
    }
    if (Object.keys(tables).length === 0) return false;
    const record = { type: 'reconciliation.sealed', actor: 'engine', subject: SUBJECT } as const;
    await recordActivity(tx, { ...record, data: { tables } });
    return true;
  });
}

/** The seals of a ledger, oldest first. */
async function readSeals(ledger: LedgerReader): Promise<ReadonlyMap<string, SealedRows>[]> {
  return (await selectSeals(ledger)).flatMap((data) => readSeal(data) ?? []);
}

/** The last sealed position of each table. */
function lastPositions(
  seals: readonly ReadonlyMap<string, SealedRows>[],
): ReadonlyMap<string, string> {
  const ends = seals.flatMap((seal) =>
    [...seal].map(([name, { until }]) => [name, until] as const),
  );
  return new Map(ends);
}

/** Digests the rows of a part, a page at a time. */
async function digestPart(
  ledger: LedgerReader,
  table: SealedTable,
  part: SealedPart,
): Promise<RowsDigest> {
  const digest = new RowsDigest();
  for (;;) {
    const page = { limit: STEP, offset: digest.rows };
    const rows = await selectSealedRows(ledger, table, part, page);
    for (const row of rows) digest.add(row);
    if (rows.length < STEP) return digest;
  }
}

async function newPart(
  tx: LedgerReader,
  table: SealedTable,
  after: string | null,
  limit: string | null,
): Promise<SealedRows | null> {
  const until = await selectLastPosition(tx, table, limit);
  if (until === null || until === after) return null;
  const { rows, sha256 } = await digestPart(tx, table, { after, until });
  return rows === 0 ? null : { after, until, rows, sha256 };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

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
      if (digest.sha256 !== sealed.sha256) tally.add(findingOfSeal(table, sealed, digest));
    }
    const rest = { after: ends.get(table.table) ?? null, until: null };
    const { rows } = await ledger.read((tx) => digestPart(tx, table, rest));
    for (const column of Object.keys(table.columns)) tally.unproven(table.table, column, rows);
  }
}

function findingOfSeal(
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
    kind: 'changed_row',
    ...place,
    expected: briefText(sha256),
    actual: briefText(digest.sha256),
  };
}
