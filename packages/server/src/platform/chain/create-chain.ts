import { formatTimestamp } from '@decision-ledger/contract/time';
import { genesisEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import sql from 'sql-template-tag';
import type { Queryable } from '../database.js';
import { uuidToId } from '../ids.js';
import type { Scope } from '../scope.js';
import type { ChainName } from './head.js';

/** Creates a chain: its genesis entry and the head that points to it. */
export async function createChain(
  tx: Queryable,
  { orgId, ledgerId, mode }: Scope,
  chain: ChainName,
  createdAt: number,
): Promise<void> {
  const epoch = 1;
  const genesis = genesisEntry({
    ledger: uuidToId('led', ledgerId),
    organisation: uuidToId('org', orgId),
    mode,
    chain,
    epoch,
    created_at: formatTimestamp(createdAt),
  });
  const hash = leafHash(genesis);
  await tx.query(sql`
    insert into chains (ledger_id, chain, epoch, genesis, genesis_hash)
    values (${ledgerId}, ${chain}, ${epoch}, ${genesis}, decode(${hash}, 'hex'))`);
  await tx.query(sql`
    insert into chain_heads (ledger_id, chain, epoch, seq, hash, created_at)
    values (${ledgerId}, ${chain}, ${epoch}, 0, decode(${hash}, 'hex'),
      to_timestamp(${createdAt}::bigint / 1000.0))`);
}
