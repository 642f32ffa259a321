import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

export interface Stratum {
  /** The first day of the month, as YYYY-MM-DD. */
  readonly month: string;
  readonly source: string;
  readonly band: number;
}

export interface StratumRow extends Stratum {
  readonly events: number;
}

const MONTH = raw(`to_char(month, 'YYYY-MM-DD') as month`);

/** The strata of a month, in a fixed order. */
export async function selectStrata(ledger: LedgerReader, month: string): Promise<StratumRow[]> {
  return ledger.query<StratumRow>(sql`
    select ${MONTH}, source, band, events from audit_strata
    where ledger_id = ${ledger.ledgerId} and month = ${month}::date
    order by source collate "C", band`);
}

/** Adds a number of events, which may be negative, to a stratum. */
export async function addToStratum(
  tx: LedgerWriter,
  { month, source, band }: Stratum,
  events: number,
): Promise<void> {
  await tx.query(sql`
    insert into audit_strata as s (ledger_id, month, source, band, events, drawn_from)
    values (${tx.ledgerId}, ${month}::date, ${source}, ${band}, ${events}, 0)
    on conflict (ledger_id, month, source, band) do update set events = s.events + excluded.events`);
}

/** The months whose events changed since audits were drawn from them. */
export async function selectUndrawnMonths(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ month: string }>(sql`
    select distinct ${MONTH} from audit_strata
    where ledger_id = ${ledger.ledgerId} and events <> drawn_from order by 1`);
  return rows.map(({ month }) => month);
}

export async function updateDrawnFrom(tx: LedgerWriter, month: string): Promise<void> {
  await tx.query(sql`
    update audit_strata set drawn_from = events
    where ledger_id = ${tx.ledgerId} and month = ${month}::date`);
}
