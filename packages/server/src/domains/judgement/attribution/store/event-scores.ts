import type { LinkType } from '@decision-ledger/contract/money-signs';
import sql, { raw, type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import { leadsOf } from './leads.js';
import { isStanding } from './reviews.js';

/** How an event was scored last. */
export interface EventScoreRow {
  /** UUID. */
  readonly event_id: string;
  readonly model_id: number;
  /** JSON: at most ten candidates with their features, the greatest share first. */
  readonly candidates: string;
  /** UUIDs of these candidates. */
  readonly decision_ids: readonly string[];
  /** How many candidates there were. */
  readonly compared: number;
  readonly none_share: number;
  /** The share of the event that human links left. */
  readonly left_share: number;
  /** Logarithm of the odds of all others that compete together; null if there were none. */
  readonly rest_log_odds: number | null;
  readonly source: string;
  readonly currency: string;
  /** ms: the end of its day for an event that is dated by its day. */
  readonly ends_at: number;
  /** Decimal text without sign, in the base currency; null without a rate. */
  readonly worth: string | null;
  /** Of the best candidate; null without any. */
  readonly label: 'matched' | 'guessed' | null;
  readonly is_suggested: boolean;
  /** JSON; null if nothing was observed. */
  readonly observation: string | null;
  /** How much a review would teach. */
  readonly priority: number;
  /** Whether there is something to review. */
  readonly is_open: boolean;
  /** Whether any candidate shares an identifier; null keeps the former three values. */
  readonly shares_identifier: boolean | null;
  /** Of the best candidate; null if it is not suggested. */
  readonly lag_hours: number | null;
  /** The greatest share; 0 without candidates. */
  readonly best_share: number | null;
}

const COLUMNS = raw(`event_id, model_id, candidates, decision_ids::text[] as decision_ids, compared,
  none_share, left_share, rest_log_odds, source, currency,
  (extract(epoch from ends_at) * 1000)::bigint as ends_at, worth::text as worth, label,
  is_suggested, observation, priority, place is not null as is_open, shares_identifier, lag_hours,
  best_share`);

/**
 * Writes the score of an event. One that was drawn for an audit stays so. One that takes its cause from its payment is not to be
 * reviewed.
 * @param at ms
 */
export async function upsertEventScore(
  tx: LedgerWriter,
  row: EventScoreRow,
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into event_scores as s (ledger_id, event_id, model_id, scored_at, candidates,
      decision_ids, compared, none_share, left_share, rest_log_odds, source, currency, ends_at,
      worth, label, is_suggested, observation, priority, place, shares_identifier, lag_hours,
      best_share)
    select own.ledger_id, ${row.event_id}, ${row.model_id}, ${instant(at)}, ${row.candidates},
      ${row.decision_ids}::uuid[], ${row.compared}, ${row.none_share}, ${row.left_share},
      ${row.rest_log_odds}, ${row.source}, ${row.currency}, ${instant(row.ends_at)},
      ${row.worth}::numeric, ${row.label}, ${row.is_suggested}, ${row.observation},
      ${row.priority}, case when ${row.is_open}::boolean
        and not ${isInheriting(tx.ledgerId, sql`array[${row.event_id}::uuid]`)}
        then ${row.priority}::float8 end, ${row.shares_identifier},
      ${row.lag_hours}, ${row.best_share}
    from ${ownRow(tx.ledgerId)} as own
    on conflict (ledger_id, event_id) do update set
      model_id = excluded.model_id, scored_at = excluded.scored_at,
      candidates = excluded.candidates, decision_ids = excluded.decision_ids,
      compared = excluded.compared, none_share = excluded.none_share,
      left_share = excluded.left_share, rest_log_odds = excluded.rest_log_odds,
      ends_at = excluded.ends_at, worth = excluded.worth, label = excluded.label,
      is_suggested = excluded.is_suggested, observation = excluded.observation,
      priority = excluded.priority,
      place = case when excluded.place is not null and s.audit_probability is not null
        then 'Infinity' else excluded.place end,
      shares_identifier = coalesce(excluded.shares_identifier, s.shares_identifier),
      lag_hours = case when excluded.shares_identifier is null then s.lag_hours
        else excluded.lag_hours end,
      best_share = case when excluded.shares_identifier is null then s.best_share
        else excluded.best_share end`);
}

export interface FormerScore {
  readonly event_id: string;
  readonly observation: string | null;
  readonly is_framed: boolean;
}

/** What the scores of events (UUIDs) were. */
export async function selectFormerScores(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<FormerScore[]> {
  return ledger.query<FormerScore>(sql`
    select event_id, observation, audit_month is not null as is_framed from event_scores
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])`);
}

/** @param eventId UUID */
export async function selectEventScore(
  ledger: LedgerReader,
  eventId: string,
): Promise<EventScoreRow | null> {
  const [row] = await ledger.query<EventScoreRow>(sql`
    select ${COLUMNS} from event_scores
    where ledger_id = ${ledger.ledgerId} and event_id = ${eventId}`);
  return row ?? null;
}

/** Takes the candidates and the observation away, and the event out of the queue. */
export async function blankScores(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    update event_scores set candidates = '[]', decision_ids = '{}', compared = 0,
      observation = null, label = null, is_suggested = false, rest_log_odds = null, place = null
    where ledger_id = ${tx.ledgerId} and event_id = any(${eventIds}::uuid[])`);
}

/** Events (UUIDs) that have a decision among their candidates. */
export async function selectEventsOf(
  ledger: LedgerReader,
  decisionId: string,
): Promise<FormerScore[]> {
  return ledger.query<FormerScore>(sql`
    select event_id, observation, audit_month is not null as is_framed from event_scores
    where ledger_id = ${ledger.ledgerId} and decision_ids @> array[${decisionId}::uuid]`);
}

/**
 * Whether the movements of events (UUIDs) are to be reviewed: while a part is left, nobody said what it is as a whole, and nothing
 * is taken from a payment. The next run does the same with a new score; until then, the queue has to agree with what people said.
 */
export async function updateOpen(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.query(sql`
    update event_scores s set place = case
      when ${isLeft(tx.ledgerId)} then
        case when audit_probability is not null then 'Infinity' else priority end
      end
    where s.ledger_id = ${tx.ledgerId} and s.event_id = any(${leadsOf(tx.ledgerId, eventIds)})`);
}

/** Whether one of some reports has a link that was taken from a payment. @param reports an array of UUIDs */
const isInheriting = (ledgerId: string, reports: Sql): Sql => sql`exists (select from links l
  where l.ledger_id = ${ledgerId} and l.event_id = any(${reports}) and l.deleted_at is null
    and l.status = 'INHERITED')`;

function isLeft(ledgerId: string): Sql {
  const reports = sql`(select m.event_id from financial_events m
    where m.ledger_id = ${ledgerId} and m.lead_id = s.event_id)`;
  return sql`
    exists (select from financial_events e where e.ledger_id = ${ledgerId}
      and e.event_id = s.event_id and e.deleted_at is null and e.amount <> 0)
    and (select coalesce(sum(l.correlation_strength), 0) < 1 from links l
      where l.ledger_id = ${ledgerId} and l.event_id in ${reports} and l.deleted_at is null
        and l.status in ('CONFIRMED', 'ML_INFERRED'))
    and not ${isInheriting(ledgerId, sql`array${reports}`)}
    and not exists (select from event_reviews r where r.ledger_id = ${ledgerId}
      and r.event_id in ${reports} and r.link_id is null and ${isStanding(ledgerId)})`;
}

/** The events (UUIDs) to review whose score is older than a model, the most valuable first. */
export async function selectOutdated(
  ledger: LedgerReader,
  modelId: number,
  limit: number,
): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from (
      select event_id, model_id from event_scores
      where ledger_id = ${ledger.ledgerId} and place is not null
      order by event_scores.place desc, event_scores.event_id desc limit ${limit}
    ) as first where model_id < ${modelId}`);
  return rows.map(({ event_id }) => event_id);
}

/** What a scored event teaches without a person. */
export interface ObservationRow {
  /** UUID. */
  readonly eventId: string;
  /** JSON; null takes an earlier one back. */
  readonly observation: string | null;
}

/** Appends to the log. The caller holds the lock on the state of the ledger, which orders the log. */
export async function insertObservations(
  tx: LedgerWriter,
  rows: readonly ObservationRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into event_observations (ledger_id, seq, event_id, observation)
    select own.ledger_id, last.seq + row_number() over (order by row.event_id), row.event_id,
      row.observation
    from ${ownRow(tx.ledgerId)} as own, unnest(${uuidArray(rows, ({ eventId }) => eventId)}::uuid[],
      ${textArray(rows, ({ observation }) => observation)}::text[]) as row (event_id, observation),
      (select coalesce(max(seq), 0) as seq from event_observations
        where ledger_id = ${tx.ledgerId}) as last`);
}

/** The end of the log; 0 if it is empty. */
export async function selectLastObservation(ledger: LedgerReader): Promise<number> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select coalesce(max(seq), 0)::bigint as seq from event_observations
    where ledger_id = ${ledger.ledgerId}`);
  return row?.seq ?? 0;
}

/** The latest rows up to a place in the log, newest first: those of one event may be several. */
export async function selectObservations(
  ledger: LedgerReader,
  untilSeq: number,
  limit: number,
): Promise<ObservationRow[]> {
  return ledger.query<ObservationRow>(sql`
    select event_id as "eventId", observation from event_observations
    where ledger_id = ${ledger.ledgerId} and seq <= ${untilSeq}
    order by event_observations.seq desc limit ${limit}`);
}

/** The next rows of the log, and whether each observation identifies the cause of its event, or a clock. */
export async function selectIdentifying(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<{ readonly seq: number; readonly event_id: string; readonly identifies: boolean }[]> {
  return ledger.query(sql`
    select seq, event_id,
      coalesce(json_typeof(observation::json -> 'identified') <> 'null', false)
        or observation::json -> 'clock' is not null as identifies
    from event_observations
    where ledger_id = ${ledger.ledgerId} and seq > ${after}
    order by event_observations.seq limit ${limit}`);
}

/** A live suggestion: its type, and what that follows from. */
export interface SuggestedTypeRow {
  /** UUID. */
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text. */
  readonly amount: string;
  readonly link_type: LinkType;
  readonly reversal: boolean;
}

/** The live suggestions of events (UUIDs). */
export async function selectSuggestedTypes(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SuggestedTypeRow[]> {
  return ledger.query<SuggestedTypeRow>(sql`
    select e.event_id, e.source, e.event_type, e.amount::text as amount, l.link_type, l.reversal
    from links l
    join financial_events e on e.ledger_id = l.ledger_id and e.event_id = l.event_id
    where l.ledger_id = ${ledger.ledgerId} and l.event_id = any(${eventIds}::uuid[])
      and l.status = 'ML_SUGGESTED' and l.deleted_at is null`);
}
