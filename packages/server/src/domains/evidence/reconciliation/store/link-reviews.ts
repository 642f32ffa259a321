import sql, { empty } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** What a review keeps of its link, event and decision. */
export interface ReviewFacts {
  readonly agent_id: string;
  readonly action_type: string;
  readonly event_type: string;
  readonly currency: string;
  /** Decimal text. */
  readonly magnitude: string;
  readonly lag_hours: number;
}

export interface FactsOfLink extends ReviewFacts {
  /** UUID. */
  readonly link_id: string;
}

/** The facts of the links after one (UUID), in the order of their ids. */
export async function selectFactsOfLinks(
  ledger: LedgerReader,
  after: string | null,
  limit: number,
): Promise<FactsOfLink[]> {
  const later = after === null ? empty : sql` and l.link_id > ${after}::uuid`;
  return ledger.query<FactsOfLink>(sql`
    select l.link_id, d.agent_id, d.action_type, e.event_type, e.currency,
      trim_scale(abs(e.amount))::text as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours
    from (select * from links l where l.ledger_id = ${ledger.ledgerId}${later}
      order by l.link_id limit ${limit}) l
    left join decisions d on d.ledger_id = ${ledger.ledgerId} and d.decision_id = l.decision_id
    left join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = l.event_id
    order by l.link_id`);
}

/** A stored review. */
export interface StoredReview extends FactsOfLink {
  readonly verdict: string;
  /** ms. */
  readonly created_at: number;
}

/** The reviews of links (UUIDs), in their order. */
export async function selectReviewsOfLinks(
  ledger: LedgerReader,
  linkIds: readonly string[],
): Promise<StoredReview[]> {
  return ledger.query<StoredReview>(sql`
    select link_id, verdict, agent_id, action_type, event_type, currency,
      trim_scale(magnitude)::text as magnitude, lag_hours,
      (extract(epoch from created_at) * 1000)::bigint as created_at
    from link_reviews where ledger_id = ${ledger.ledgerId} and link_id = any(${linkIds}::uuid[])
    order by link_reviews.created_at, review_id`);
}

/** Links (UUIDs) that have reviews and do not exist, at most `limit`. */
export async function selectStrayReviews(ledger: LedgerReader, limit: number): Promise<string[]> {
  const rows = await ledger.query<{ link_id: string }>(sql`
    select distinct r.link_id from link_reviews r
    where r.ledger_id = ${ledger.ledgerId} and not exists (select from links l
      where l.ledger_id = ${ledger.ledgerId} and l.link_id = r.link_id)
    order by r.link_id limit ${limit}`);
  return rows.map(({ link_id }) => link_id);
}
