import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { summedSeq } from './exposure.js';

/** A stored snapshot; the settings, the rates into the currency and the experience are JSON. */
export interface SnapshotRow {
  readonly snapshot_id: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: string;
  readonly rates: string;
  readonly experience: string;
}

const COLUMNS = raw('snapshot_id, version, currency, settings, rates, experience');

/** @param at ms */
export async function insertSnapshot(
  tx: LedgerWriter,
  snapshot: SnapshotRow,
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_snapshots (ledger_id, snapshot_id, version, currency, settings, rates,
      experience, taken_at)
    values (${tx.ledgerId}, ${snapshot.snapshot_id}, ${snapshot.version}, ${snapshot.currency},
      ${snapshot.settings}, ${snapshot.rates}, ${snapshot.experience}, to_timestamp(${at}::bigint / 1000.0))`);
}

/** The newest snapshot of a ledger. */
export async function selectSnapshot(ledger: LedgerReader): Promise<SnapshotRow | null> {
  const [row] = await ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} order by liability_snapshots.snapshot_id desc limit 1`);
  return row ?? null;
}

/** The snapshots of a ledger with these numbers. */
export async function selectSnapshots(
  ledger: LedgerReader,
  ids: readonly number[],
): Promise<SnapshotRow[]> {
  return ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} and snapshot_id = any(${ids}::integer[])`);
}

/** The confidences that counted as neutral in any snapshot of a ledger. */
export async function selectNeutral(ledger: LedgerReader): Promise<number[]> {
  const rows = await ledger.query<{ neutral: number }>(sql`
    select distinct (settings::json #>> '{confidence,neutral}')::float8 as neutral
    from liability_snapshots where ledger_id = ${ledger.ledgerId}`);
  return rows.map(({ neutral }) => neutral);
}

/** A snapshot by its number; null if the ledger has none. */
export async function selectSnapshotById(
  ledger: LedgerReader,
  id: number,
): Promise<SnapshotRow | null> {
  const [row] = await ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} and snapshot_id = ${id}`);
  return row ?? null;
}

/** The currencies of all estimates of a ledger, stored or not; reads each estimate. */
export async function selectCurrencies(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ currency: string }>(sql`
    select distinct s.currency from liability_snapshots s
    join (
      select snapshot_id from liability_estimates where ledger_id = ${ledger.ledgerId}
      union
      select d.estimate_snapshot from decisions d
      where d.ledger_id = ${ledger.ledgerId} and d.seq > ${summedSeq(ledger.ledgerId)}
    ) as e on e.snapshot_id = s.snapshot_id
    where s.ledger_id = ${ledger.ledgerId}`);
  return rows.map(({ currency }) => currency);
}
