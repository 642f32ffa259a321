import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

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
    select ${tx.ledgerId}, coalesce(max(seq), 0) + 1, ${row.event_id}, ${row.link_id},
      ${row.decision_id}, ${row.kind}, ${row.verdict}, ${row.event_type}, ${row.choice},
      ${row.model_id}, to_timestamp(${row.created_at}::bigint / 1000.0),
      ${row.answered_by}
    from event_reviews where ledger_id = ${tx.ledgerId}`);
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
