import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

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
