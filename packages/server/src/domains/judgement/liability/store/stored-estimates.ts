import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { ESTIMATE_COLUMNS, type EstimateRow } from './estimate-columns.js';
import type { SubjectRow } from './subjects.js';

/** A decision's estimate as it is stored, with the facts that it was made from: amounts as decimal text. */
export interface StoredEstimate
  extends EstimateRow,
    Pick<SubjectRow, 'seq' | 'decision_id' | 'agent_id' | 'action_type' | 'confidence'>,
    Pick<SubjectRow, 'variant' | 'denied' | 'reading' | 'timestamp' | 'oversight'>,
    Pick<SubjectRow, 'stated_amount' | 'stated_currency' | 'currency' | 'version'> {
  readonly stake: string;
  readonly events: number;
  readonly sizes: string;
}

/** The estimates of a part of the chain, in its order. @param after exclusive; `until` inclusive */
export async function selectStoredEstimates(
  ledger: LedgerReader,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<StoredEstimate[]> {
  return ledger.query<StoredEstimate>(sql`
    select e.seq, e.decision_id, e.agent_id, e.action_type, e.confidence, e.variant, e.denied,
      e.reading, (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp", e.oversight,
      e.stated_amount::text as stated_amount, e.stated_currency, e.stake::text as stake, e.events,
      e.sizes::text as sizes, ${ESTIMATE_COLUMNS}
    from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledger.ledgerId} and e.seq > ${after} and e.seq <= ${until} order by e.seq`);
}
