import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

export type ReviewKind = 'review' | 'manual' | 'audit';
export type EventVerdict = 'cause' | 'not_cause' | 'none' | 'skipped' | 'withdrawn';

/** What somebody said of an event, with its candidates at that time. */
export interface EventReviewRow {
  readonly seq: number;
  /** UUID, like `link_id` and `decision_id`. */
  readonly event_id: string;
  /** Null for a verdict on the event as a whole. */
  readonly link_id: string | null;
  readonly decision_id: string | null;
  readonly kind: ReviewKind;
  readonly verdict: EventVerdict;
  readonly event_type: string;
  /** JSON: a stored choice. */
  readonly choice: string;
  readonly model_id: number | null;
  /** ms. */
  readonly created_at: number;
}

/** A row to append. */
export interface NewEventReview extends Omit<EventReviewRow, 'seq'> {
  /** The author of an answer; null for what nobody was asked, and for a withdrawal. */
  readonly answered_by: string | null;
}

const COLUMNS =
  raw(`seq, event_id, link_id, decision_id, kind, verdict, event_type, choice, model_id,
  (extract(epoch from created_at) * 1000)::bigint as created_at`);

/** Appends to the log. The caller holds the lock on the head of activity, which orders the log. */
export async function insertEventReview(tx: LedgerWriter, row: NewEventReview): Promise<void> {
  await tx.query(sql`
    insert into event_reviews (ledger_id, seq, event_id, link_id, decision_id, kind, verdict,
      event_type, choice, model_id, created_at, answered_by)
    select own.ledger_id, coalesce((select max(seq) from event_reviews
        where ledger_id = ${tx.ledgerId}), 0) + 1, ${row.event_id}, ${row.link_id},
      ${row.decision_id}, ${row.kind}, ${row.verdict}, ${row.event_type}, ${row.choice},
      ${row.model_id}, to_timestamp(${row.created_at}::bigint / 1000.0),
      ${row.answered_by}
    from ${ownRow(tx.ledgerId)} as own`);
}

/** The end of the log; 0 if it is empty. */
export async function selectLastReview(ledger: LedgerReader): Promise<number> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select coalesce(max(seq), 0)::bigint as seq from event_reviews where ledger_id = ${ledger.ledgerId}`);
  return row?.seq ?? 0;
}

const END = Number.MAX_SAFE_INTEGER;

/** Condition on a row `r`: no later row, up to a place in the log, takes it back. */
export const isStanding = (ledgerId: string, untilSeq = END) => sql`
  r.verdict <> 'withdrawn' and not exists (select from event_reviews w
    where w.ledger_id = ${ledgerId} and w.event_id = r.event_id and w.seq > r.seq
      and w.seq <= ${untilSeq} and w.verdict = 'withdrawn'
      and w.link_id is not distinct from r.link_id)`;

/** The latest reviews that stood at a place in the log, oldest first. */
export async function selectStandingChoices(
  ledger: LedgerReader,
  untilSeq: number,
  limit: number,
): Promise<EventReviewRow[]> {
  const rows = await ledger.query<EventReviewRow>(sql`
    select ${COLUMNS} from event_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.seq <= ${untilSeq}
      and ${isStanding(ledger.ledgerId, untilSeq)}
    order by r.seq desc limit ${limit}`);
  return rows.reverse();
}

/** The standing verdicts on events (UUIDs) as wholes, oldest first. */
export async function selectEventVerdicts(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<EventReviewRow[]> {
  return ledger.query<EventReviewRow>(sql`
    select ${COLUMNS} from event_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.event_id = any(${eventIds}::uuid[])
      and r.link_id is null and ${isStanding(ledger.ledgerId)}
    order by r.seq`);
}

/** The standing verdicts on the movements that reports (UUIDs) lead, as verdicts on these, oldest first. */
export async function selectMovementVerdicts(
  ledger: LedgerReader,
  leadIds: readonly string[],
): Promise<EventReviewRow[]> {
  return ledger.query<EventReviewRow>(sql`
    select m.lead_id as event_id, r.seq, r.link_id, r.decision_id, r.kind, r.verdict, r.event_type,
      r.choice, r.model_id, (extract(epoch from r.created_at) * 1000)::bigint as created_at
    from financial_events m
    join event_reviews r on r.ledger_id = ${ledger.ledgerId} and r.event_id = m.event_id
    where m.ledger_id = ${ledger.ledgerId} and m.lead_id = any(${leadIds}::uuid[])
      and r.link_id is null and ${isStanding(ledger.ledgerId)}
    order by r.seq`);
}

/** The latest standing row about a link (UUID). */
export async function selectReviewOfLink(
  ledger: LedgerReader,
  eventId: string,
  linkId: string,
): Promise<EventReviewRow | null> {
  const [row] = await ledger.query<EventReviewRow>(sql`
    select ${COLUMNS} from event_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.event_id = ${eventId} and r.link_id = ${linkId}
      and ${isStanding(ledger.ledgerId)}
    order by r.seq desc limit 1`);
  return row ?? null;
}

/** The link that a review is about. */
export interface ReviewedRow {
  readonly agent_id: string;
  readonly action_type: string;
  readonly event_type: string;
  readonly currency: string;
  /** Decimal text, without sign. */
  readonly magnitude: string;
  readonly lag_hours: number;
}

/** @param linkId UUID */
export async function selectReviewed(
  ledger: LedgerReader,
  linkId: string,
): Promise<ReviewedRow | null> {
  const [row] = await ledger.query<ReviewedRow>(sql`
    select d.agent_id, d.action_type, e.event_type, e.currency, abs(e.amount)::text as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours
    from links l
    join decisions d on d.ledger_id = l.ledger_id and d.decision_id = l.decision_id
    join financial_events e on e.ledger_id = l.ledger_id and e.event_id = l.event_id
    where l.ledger_id = ${ledger.ledgerId} and l.link_id = ${linkId}`);
  return row ?? null;
}

export interface ReviewRow extends ReviewedRow {
  /** UUID. */
  readonly linkId: string;
  readonly verdict: 'confirmed' | 'rejected' | 'withdrawn';
  /** ms. */
  readonly createdAt: number;
}

export async function insertReview(tx: LedgerWriter, row: ReviewRow): Promise<void> {
  await tx.query(sql`
    insert into link_reviews (ledger_id, link_id, verdict, agent_id, action_type,
      event_type, currency, magnitude, lag_hours, created_at)
    values (${tx.ledgerId}, ${row.linkId}, ${row.verdict}, ${row.agent_id},
      ${row.action_type}, ${row.event_type}, ${row.currency}, ${row.magnitude}::numeric,
      ${row.lag_hours}, to_timestamp(${row.createdAt}::bigint / 1000.0))`);
}

/** A link that suggestions consider. */
export interface ConsideredLink {
  readonly link_id: string;
  readonly event_id: string;
  readonly decision_id: string;
  readonly status: 'CONFIRMED' | 'ML_SUGGESTED' | 'ML_INFERRED' | 'REJECTED' | 'INHERITED';
  readonly correlation_strength: number;
}

/**
 * The links of the movements that reports (UUIDs) lead, as links of these: those that are not deleted, and the rejected ones
 * whose review was not withdrawn. These are not suggested again.
 */
export async function selectConsideredLinks(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ConsideredLink[]> {
  return ledger.query<ConsideredLink>(sql`
    select l.link_id, m.lead_id as event_id, l.decision_id, l.status,
      l.correlation_strength::float8 as correlation_strength
    from financial_events m
    join links l on l.ledger_id = ${ledger.ledgerId} and l.event_id = m.event_id
    where m.ledger_id = ${ledger.ledgerId} and m.lead_id = any(${eventIds}::uuid[])
      and (l.deleted_at is null or (l.status = 'REJECTED' and not exists (
        select from link_reviews r where r.ledger_id = ${ledger.ledgerId} and r.link_id = l.link_id
          and r.verdict = 'withdrawn')))`);
}

export interface StandingRow extends ReviewedRow {
  readonly verdict: 'confirmed' | 'rejected';
  /** ms. */
  readonly created_at: number;
}

/** The review of a link (UUID), unless it was withdrawn. */
export async function selectStandingReview(
  ledger: LedgerReader,
  linkId: string,
): Promise<StandingRow | null> {
  const [row] = await ledger.query<StandingRow>(sql`
    select r.verdict, r.agent_id, r.action_type, r.event_type, r.currency,
      r.magnitude::text as magnitude, r.lag_hours,
      (extract(epoch from r.created_at) * 1000)::bigint as created_at
    from link_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.link_id = ${linkId} and r.verdict <> 'withdrawn'
      and not exists (select from link_reviews w
        where w.ledger_id = ${ledger.ledgerId} and w.link_id = r.link_id and w.verdict = 'withdrawn')`);
  return row ?? null;
}

/** The links (UUIDs) of a range, in the order of their ids, deleted or not. */
export async function selectLinkIds(
  ledger: LedgerReader,
  range: KeyRange<string>,
): Promise<string[]> {
  const rows = await ledger.query<{ link_id: string }>(sql`
    select link_id from links where ledger_id = ${ledger.ledgerId} and ${within(range)}
    order by links.link_id`);
  return rows.map(({ link_id }) => link_id);
}

/** The last one of some links after an id; null if there are fewer. */
export async function selectEndOfLinks(
  ledger: LedgerReader,
  after: string | null,
  count: number,
): Promise<string | null> {
  const [row] = await ledger.query<{ link_id: string }>(sql`
    select link_id from links
    where ledger_id = ${ledger.ledgerId} and ${within({ after, until: null })}
    order by links.link_id offset ${count - 1} limit 1`);
  return row?.link_id ?? null;
}

function within({ after, until }: KeyRange<string>): Sql {
  const later = after === null ? empty : sql` and link_id > ${after}::uuid`;
  const earlier = until === null ? empty : sql` and link_id <= ${until}::uuid`;
  return sql`true${later}${earlier}`;
}

/** What the records say of a link. */
export interface SaidRow {
  /** UUID. */
  readonly link_id: string;
  readonly verdict: string;
  /** RFC 3339. */
  readonly created_at: string;
}

export const REVIEWS = new DerivedRows('link_reviews', {
  key: ['link_id', 'verdict'],
  values: [
    ...['agent_id', 'action_type', 'event_type', 'currency', 'magnitude', 'lag_hours'],
    'created_at',
  ],
});

/**
 * Compares the stored reviews of a range of links (UUIDs) with those that their records state. A review keeps some facts of
 * its link, event and decision.
 */
export async function compareReviews(
  ledger: LedgerReader,
  links: KeyRange<string>,
  said: readonly SaidRow[],
): Promise<RowComparison> {
  const expected = sql`
    select s.link_id, s.verdict, d.agent_id, d.action_type, e.event_type, e.currency,
      abs(e.amount) as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours, s.created_at
    from (${REVIEWS.made(said)}) s
    join links l on l.ledger_id = ${ledger.ledgerId} and l.link_id = s.link_id
    join decisions d on d.ledger_id = ${ledger.ledgerId} and d.decision_id = l.decision_id
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = l.event_id`;
  return REVIEWS.compare(ledger, expected, within(links));
}
