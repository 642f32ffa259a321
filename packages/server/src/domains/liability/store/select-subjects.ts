import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Oversight } from '../rules/estimator.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

/** A decision to estimate anew, with what its estimate says now: amounts as decimal text. */
export interface SubjectRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly stated_amount: string | null;
  readonly stated_currency: string | null;
  readonly revision: number;
  readonly currency: string;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly amount_at_risk: string;
  readonly realised: string;
  readonly open_share: number;
  readonly unconverted: number;
}

export async function selectSubjects(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<SubjectRow[]> {
  return tx.query<SubjectRow>(sql`
    select e.seq, e.decision_id, e.action_type,
      (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp", e.confidence, e.oversight,
      e.stated_amount::text as stated_amount, e.stated_currency, e.revision, s.currency,
      e.exposure::text as exposure, e.low::text as low, e.high::text as high,
      e.amount_at_risk::text as amount_at_risk, e.realised::text as realised, e.open_share,
      e.unconverted
    from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)} order by e.seq`);
}
