import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

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
  readonly status: 'CONFIRMED' | 'ML_SUGGESTED' | 'ML_INFERRED' | 'REJECTED';
  readonly correlation_strength: number;
}

/**
 * The links of events (UUIDs) that are not deleted, and the rejected ones whose review was not
 * withdrawn: these are not suggested again.
 */
export async function selectConsideredLinks(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ConsideredLink[]> {
  return ledger.query<ConsideredLink>(sql`
    select l.link_id, l.event_id, l.decision_id, l.status,
      l.correlation_strength::float8 as correlation_strength
    from links l
    where l.ledger_id = ${ledger.ledgerId} and l.event_id = any(${eventIds}::uuid[])
      and (l.deleted_at is null or (l.status = 'REJECTED' and not exists (
        select from link_reviews r where r.ledger_id = l.ledger_id and r.link_id = l.link_id
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
        where w.ledger_id = r.ledger_id and w.link_id = r.link_id and w.verdict = 'withdrawn')`);
  return row ?? null;
}
