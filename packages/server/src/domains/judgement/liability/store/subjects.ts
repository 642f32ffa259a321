import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import type { Oversight } from '../rules/estimator.js';
import type { OutcomesRow } from '../rules/learn.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/** A decision to re-estimate, with its current estimate: amounts as decimal text. */
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

/** A recorded decision: times in ms, payloads as disclosures. */
export interface RecordedRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly outputs: string | null;
  readonly metadata: string | null;
}

/** Decisions without an estimate. */
export async function selectUnestimated(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<RecordedRow[]> {
  return tx.query<RecordedRow>(sql`
    select d.seq, d.decision_id, d.agent_id, d.action_type, d.confidence, d.human_in_loop,
      (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
      (extract(epoch from d.created_at) * 1000)::bigint as created_at, d.outputs, d.metadata
    from decisions d
    where d.ledger_id = ${ledgerId} and ${isAmong(sql`d.seq`, which)}
      and not exists (select from liability_estimates e
        where e.ledger_id = d.ledger_id and e.seq = d.seq)
    order by d.seq`);
}

/** Decisions are mature if they were made before these times (ms). */
export interface MatureBefore {
  readonly others: number;
  readonly byActionType: readonly (readonly [actionType: string, time: number])[];
}

/** Limit of loss ÷ amount at risk. */
const MAX_SEVERE = 10;

/** Outcomes of decisions that are mature or have cost money already. */
export async function selectOutcomes(
  db: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
  { others, byActionType }: MatureBefore,
): Promise<OutcomesRow[]> {
  return db.query<OutcomesRow>(sql`
    select e.action_type, least(9, floor(e.confidence * 10))::integer as confidence_bin,
      e.oversight, count(*) as decisions, count(*) filter (where e.realised > 0) as losses,
      coalesce(sum(least(${MAX_SEVERE}, e.realised / nullif(e.amount_at_risk, 0)))
        filter (where e.realised > 0 and e.amount_at_risk > 0), 0)::float8 as severity_sum,
      count(*) filter (where e.realised > 0 and e.amount_at_risk > 0) as severity_count
    from liability_estimates e
    left join unnest(${byActionType.map(([type]) => type)}::text[],
      ${byActionType.map(([, time]) => time)}::float8[]) as m (action_type, mature_before)
      on m.action_type = e.action_type
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)} and (e.realised > 0
      or e."timestamp" <= to_timestamp(coalesce(m.mature_before, ${others}::float8) / 1000.0))
    group by 1, 2, 3`);
}
