import { formatTimestamp } from '@decision-ledger/contract/time';
import { genesisEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import sql from 'sql-template-tag';
import { uuidToId } from '../ids.js';
import type { LedgerWriter } from '../ledger.js';
import type { ChainName } from './head.js';

/** Creates a chain: its genesis entry and the head that points to it. */
export async function createChain(
  tx: LedgerWriter,
  chain: ChainName,
  createdAt: number,
): Promise<void> {
  const epoch = 1;
  const genesis = genesisEntry({
    ledger: uuidToId('led', tx.ledgerId),
    organisation: uuidToId('org', tx.scope.orgId),
    mode: tx.scope.mode,
    chain,
    epoch,
    created_at: formatTimestamp(createdAt),
  });
  const hash = leafHash(genesis);
  await tx.query(sql`
    insert into chains (ledger_id, chain, epoch, genesis, genesis_hash)
    values (${tx.ledgerId}, ${chain}, ${epoch}, ${genesis}, decode(${hash}, 'hex'))`);
  await tx.query(sql`
    insert into chain_heads (ledger_id, chain, epoch, seq, hash, created_at)
    values (${tx.ledgerId}, ${chain}, ${epoch}, 0, decode(${hash}, 'hex'),
      to_timestamp(${createdAt}::bigint / 1000.0))`);
}
