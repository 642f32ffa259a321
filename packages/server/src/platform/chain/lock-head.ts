import sql from 'sql-template-tag';
import type { LedgerWriter } from '../ledger.js';
import type { ChainName, Head } from './head.js';

export interface LockedHead extends Head {
  /** created_at of the records to append: the database's clock, but never before the last record. */
  readonly now: number;
}

/** Locks the head row until the transaction ends, which serialises appends to the chain. */
export async function lockHead(tx: LedgerWriter, chain: ChainName): Promise<LockedHead> {
  const statement = sql`
    select epoch, seq, encode(hash, 'hex') as hash,
      (extract(epoch from created_at) * 1000)::bigint as "createdAt",
      floor(extract(epoch from greatest(clock_timestamp(), created_at)) * 1000)::bigint as now
    from chain_heads where ledger_id = ${tx.ledgerId} and chain = ${chain} for update`;
  const { text, values } = statement;
  const [head] = await tx.query<LockedHead>({ name: 'lock-head', text, values });
  if (head === undefined) throw new Error(`ledger ${tx.ledgerId} has no ${chain} chain`);
  return head;
}
