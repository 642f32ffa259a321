import sql, { raw } from 'sql-template-tag';
import type { LedgerReader } from '../ledger.js';
import type { ChainName } from './head.js';

export interface Reach {
  readonly last: number;
  readonly head: number;
  /** created_at of the head's record, in ms; null if the record is missing. */
  readonly lastCreatedAt: number | null;
  readonly headCreatedAt: number;
}

/** The last stored record and the head, read in one snapshot. */
export async function selectReach(ledger: LedgerReader, chain: ChainName): Promise<Reach | null> {
  const [row] = await ledger.query<Reach>(sql`
    select h.seq as head, (extract(epoch from h.created_at) * 1000)::bigint as "headCreatedAt",
      (select (extract(epoch from r.created_at) * 1000)::bigint from ${raw(chain)} r
        where r.ledger_id = ${ledger.ledgerId} and r.seq = h.seq) as "lastCreatedAt",
      coalesce((select max(seq) from ${raw(chain)} where ledger_id = ${ledger.ledgerId}), 0) as last
    from chain_heads h where h.ledger_id = ${ledger.ledgerId} and h.chain = ${chain}`);
  return row ?? null;
}
