import sql from 'sql-template-tag';
import type { LedgerWriter } from '../ledger.js';
import type { ChainName, Head } from './head.js';

/** Moves a head that is locked by this transaction. */
export async function moveHead(
  tx: LedgerWriter,
  chain: ChainName,
  to: Pick<Head, 'seq' | 'hash' | 'createdAt'>,
): Promise<void> {
  const { text, values } = sql`
    update chain_heads set seq = ${to.seq}, hash = decode(${to.hash}, 'hex'),
      created_at = to_timestamp(${to.createdAt}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and chain = ${chain}`;
  await tx.query({ name: 'move-head', text, values, notifies: tx.ledgerId });
}
