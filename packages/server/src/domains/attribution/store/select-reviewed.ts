import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** What a review is about. */
export interface ReviewedRow {
  readonly agent_id: string;
  readonly action_type: string;
  readonly event_type: string;
  readonly currency: string;
  /** Decimal text, without sign. */
  readonly magnitude: string;
  readonly lag_hours: number;
  readonly raw_logit: number | null;
}

/** @param linkId UUID */
export async function selectReviewed(
  tx: Queryable,
  { ledgerId }: Scope,
  linkId: string,
): Promise<ReviewedRow | null> {
  const [row] = await tx.query<ReviewedRow>(sql`
    select d.agent_id, d.action_type, e.event_type, e.currency, abs(e.amount)::text as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours,
      (l.score::json ->> 'uncalibrated_logit')::float8 as raw_logit
    from links l
    join decisions d on d.ledger_id = l.ledger_id and d.decision_id = l.decision_id
    join financial_events e on e.ledger_id = l.ledger_id and e.event_id = l.event_id
    where l.ledger_id = ${ledgerId} and l.link_id = ${linkId}`);
  return row ?? null;
}
