import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Span } from './span.js';

/** A decision without anything of its payload. Times in ms, hashes in hexadecimal. */
export interface DecisionRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  /** Decimals; null where there is no estimate. */
  readonly exposure: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly currency: string | null;
}

export async function selectDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  { after, last, limit }: Span,
): Promise<DecisionRow[]> {
  const { text, values } = sql`
    select d.seq, d.decision_id, d.agent_id, d.action_type, d.confidence, d.human_in_loop,
      (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
      (extract(epoch from d.created_at) * 1000)::bigint as created_at,
      encode(d.hash, 'hex') as hash, encode(d.prev_hash, 'hex') as prev_hash,
      e.exposure, e.low, e.high, s.currency
    from decisions d
    left join liability_estimates e on e.ledger_id = d.ledger_id and e.seq = d.seq
    left join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where d.ledger_id = ${ledgerId} and d.seq > ${after} and d.seq <= ${last}
    order by d.seq limit ${limit}`;
  return db.query<DecisionRow>({ name: 'stream-decisions', text, values });
}
