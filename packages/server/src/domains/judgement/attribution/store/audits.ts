import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import { leadOf } from './leads.js';
import { type EventVerdict, isStanding } from './reviews.js';

/** An audited event with one standing verdict on it; without any, the verdict is null. */
export interface AuditRow {
  /** UUID. */
  readonly event_id: string;
  /** `2026-04`. */
  readonly month: string;
  readonly source: string;
  readonly band: number;
  readonly probability: number;
  readonly verdict: Exclude<EventVerdict, 'withdrawn'> | null;
  /** UUID. */
  readonly decision_id: string | null;
  /**
   * The suggestions at the time of the verdict, and the other steps of a matched case; null if the event was not
   * scored by then.
   */
  readonly candidates: readonly CandidateRow[] | null;
}

export interface CandidateRow {
  readonly decision_id: string;
  readonly share: number;
  readonly label: 'matched' | 'guessed';
  readonly is_suggested: boolean;
}

/** When events were recorded, in ms: from the start, and before the end. */
export interface RecordedRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

const CANDIDATES = raw(`case when r.choice::json ->> 'none_share' is not null then (
  select coalesce(json_agg(json_build_object('decision_id', c ->> 'decision_id',
    'share', c -> 'share', 'label', c ->> 'label', 'is_suggested', c -> 'is_suggested')), '[]')
  from json_array_elements(r.choice::json -> 'candidates') as c
  where (c ->> 'is_suggested')::boolean or c ->> 'label' = 'matched') end`);

/** The audits of events that were recorded in a range, by month, with the verdicts on each in order. */
export async function selectAudits(
  ledger: LedgerReader,
  range: RecordedRange,
): Promise<AuditRow[]> {
  return ledger.query<AuditRow>(sql`
    select s.event_id, to_char(s.audit_month, 'YYYY-MM') as month, s.audit_source as source,
      s.audit_band as band, s.audit_probability as probability, r.verdict, r.decision_id,
      ${CANDIDATES} as candidates
    from event_scores s
    join financial_events e on e.ledger_id = s.ledger_id and e.event_id = s.event_id
    left join event_reviews r on r.ledger_id = s.ledger_id and r.event_id = s.event_id
      and ${isStanding(ledger.ledgerId)}
    where s.ledger_id = ${ledger.ledgerId} and s.audit_probability is not null${recordedIn(range)}
    order by s.audit_month, s.event_id, r.seq`);
}

function recordedIn({ start, end }: RecordedRange): Sql {
  const from = start === undefined ? empty : sql` and e.created_at >= ${instant(start)}`;
  const until = end === undefined ? empty : sql` and e.created_at < ${instant(end)}`;
  return sql`${from}${until}`;
}

/** Where an event may be drawn. */
export interface AuditPlace extends Stratum {
  /** Orders the events of a stratum. */
  readonly draw: number;
}

/** An event (UUID) with its place. */
export interface FramedRow extends AuditPlace {
  readonly event_id: string;
}

/** Puts events into the frames of their months. */
export async function updateFrames(tx: LedgerWriter, rows: readonly FramedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update event_scores s set audit_month = n.month, audit_source = n.source,
      audit_band = n.band::smallint, audit_draw = n.draw::integer
    from unnest(
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[],
      ${textArray(rows, ({ month }) => month)}::text[]::date[],
      ${textArray(rows, ({ source }) => source)}::text[],
      ${textArray(rows, ({ band }) => String(band))}::text[],
      ${textArray(rows, ({ draw }) => String(draw))}::text[]
    ) as n (event_id, month, source, band, draw)
    where s.ledger_id = ${tx.ledgerId} and s.event_id = n.event_id`);
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

/** The probability with which the movement of an event (UUID) was drawn; null for one that was not. */
export async function selectAuditProbability(
  ledger: LedgerReader,
  eventId: string,
): Promise<number | null> {
  const [row] = await ledger.query<{ probability: number | null }>(sql`
    select audit_probability as probability from event_scores
    where ledger_id = ${ledger.ledgerId} and event_id = ${leadOf(ledger.ledgerId, eventId)}`);
  return row?.probability ?? null;
}

interface Stratum {
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

/** Adds numbers of events, which may be negative, to different strata. */
export async function addToStrata(tx: LedgerWriter, rows: readonly StratumRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into audit_strata as s (ledger_id, month, source, band, events, drawn_from)
    select own.ledger_id, n.month::date, n.source, n.band::smallint, n.events::bigint, 0
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${textArray(rows, ({ month }) => month)}::text[],
      ${textArray(rows, ({ source }) => source)}::text[],
      ${textArray(rows, ({ band }) => String(band))}::text[],
      ${textArray(rows, ({ events }) => String(events))}::text[]
    ) as n (month, source, band, events)
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
