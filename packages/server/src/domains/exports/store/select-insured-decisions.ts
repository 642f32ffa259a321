import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type DecisionPage, inPage } from './decisions.js';

/** What of a decision is added to the sums. */
export interface InsuredRow {
  readonly seq: number;
  /** UUID. */
  readonly decision_id: string;
  /** ms. */
  readonly timestamp: number;
  readonly action_type: string;
  readonly confidence: number;
  readonly overseen: boolean;
  /** Both decimal text; null without an estimate. */
  readonly exposure: string | null;
  readonly realised: string | null;
  /** The allocations of its confirmed losses: signed amount as decimal text, currency and time (ms). */
  readonly losses: readonly (readonly [amount: string, currency: string, at: number])[];
}

/** By time, then by seq. Without an estimate, the flag alone says whether it was overseen. */
export async function selectInsuredDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  page: DecisionPage,
  limit: number,
): Promise<InsuredRow[]> {
  return db.query<InsuredRow>(sql`
    select d.seq, d.decision_id, (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
      d.action_type, d.confidence, e.exposure::text as exposure, e.realised::text as realised,
      case when e.seq is null then d.human_in_loop else e.oversight <> 'none' end as overseen,
      coalesce((
        select json_agg(json_build_array(a.amount::text, a.currency,
          (extract(epoch from a."timestamp") * 1000)::bigint))
        from link_allocations a
        where a.ledger_id = ${ledgerId} and a.decision_seq = d.seq and a.is_confirmed
          and a.link_type = 'loss'), '[]') as losses
    from decisions d
    left join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledgerId}${inPage(page)}
    order by d."timestamp", d.seq limit ${limit}`);
}
