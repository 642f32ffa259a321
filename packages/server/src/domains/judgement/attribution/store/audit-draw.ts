import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { Stratum } from './audit-strata.js';

/** Where an event may be drawn. */
export interface AuditPlace extends Stratum {
  /** Orders the events of a stratum. */
  readonly draw: number;
}

/** Puts an event (UUID) into the frame of its month. */
export async function updateFrame(
  tx: LedgerWriter,
  eventId: string,
  { month, source, band, draw }: AuditPlace,
): Promise<void> {
  await tx.query(sql`
    update event_scores set audit_month = ${month}::date, audit_source = ${source},
      audit_band = ${band}, audit_draw = ${draw}
    where ledger_id = ${tx.ledgerId} and event_id = ${eventId}`);
}

/** Takes an event (UUID) out of its frame. @returns its stratum; null if it was in none */
export async function removeFromFrame(tx: LedgerWriter, eventId: string): Promise<Stratum | null> {
  const [row] = await tx.query<Stratum>(sql`
    select to_char(audit_month, 'YYYY-MM-DD') as month, audit_source as source, audit_band as band
    from event_scores
    where ledger_id = ${tx.ledgerId} and event_id = ${eventId} and audit_month is not null`);
  await tx.query(sql`
    update event_scores set audit_month = null, audit_source = null, audit_band = null,
      audit_draw = null, audit_probability = null
    where ledger_id = ${tx.ledgerId} and event_id = ${eventId}`);
  return row ?? null;
}

/** No event of a month is an audit any more. */
export async function updateUndrawn(tx: LedgerWriter, month: string): Promise<void> {
  await tx.query(sql`
    update event_scores set audit_probability = null,
      place = case when place is not null then priority end
    where ledger_id = ${tx.ledgerId} and audit_month = ${month}::date
      and audit_probability is not null`);
}

export interface StratumDraw {
  readonly source: string;
  readonly band: number;
  /** How many events are drawn. */
  readonly audits: number;
  readonly probability: number;
}

/** The first events of each stratum of a month become audits. */
export async function updateDrawn(
  tx: LedgerWriter,
  month: string,
  strata: readonly StratumDraw[],
): Promise<void> {
  for (const { source, band, audits, probability } of strata) {
    await tx.query(sql`
      update event_scores set audit_probability = ${probability}::float8,
        place = case when place is not null then 'Infinity'::float8 end
      where ledger_id = ${tx.ledgerId} and event_id in (
        select event_id from event_scores
        where ledger_id = ${tx.ledgerId} and audit_month = ${month}::date
          and audit_source = ${source} and audit_band = ${band}
        order by audit_draw, event_id limit ${audits})`);
  }
}

/** The probability with which an event (UUID) was drawn; null for one that was not. */
export async function selectAuditProbability(
  ledger: LedgerReader,
  eventId: string,
): Promise<number | null> {
  const [row] = await ledger.query<{ probability: number | null }>(sql`
    select audit_probability as probability from event_scores
    where ledger_id = ${ledger.ledgerId} and event_id = ${eventId}`);
  return row?.probability ?? null;
}
