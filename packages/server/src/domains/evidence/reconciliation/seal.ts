import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { SEALED_TABLES, type SealedTable } from '../../../tables/sealed-tables.js';
import { recordActivity } from '../../log/activity/index.js';
import { RowsDigest, readSeal, type SealedRows } from './rules/seals.js';
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
export async function readSeals(ledger: LedgerReader): Promise<ReadonlyMap<string, SealedRows>[]> {
  return (await selectSeals(ledger)).flatMap((data) => readSeal(data) ?? []);
}

/** The last sealed position of each table. */
export function lastPositions(
  seals: readonly ReadonlyMap<string, SealedRows>[],
): ReadonlyMap<string, string> {
  const ends = seals.flatMap((seal) =>
    [...seal].map(([name, { until }]) => [name, until] as const),
  );
  return new Map(ends);
}

/** Digests the rows of a part, a page at a time. */
export async function digestPart(
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
