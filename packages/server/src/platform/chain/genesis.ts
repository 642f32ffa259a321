import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Finding } from '@decision-ledger/proof/chain';
import { GENESIS_TYPE, genesisEntry, readEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import sql from 'sql-template-tag';
import { uuidToId } from '../ids.js';
import type { LedgerWriter } from '../ledger.js';
import type { Scope } from '../principal.js';
import type { ChainName, ChainState } from './head.js';

/** Checks that the genesis has the stored hash and belongs to this chain. */
export function checkGenesis(state: ChainState, scope: Scope, chain: ChainName): Finding | null {
  const actual = leafHash(state.genesis);
  const broken = {
    seq: 0,
    id: null,
    kind: 'content',
    expected: state.genesisHash,
    actual,
  } as const;
  if (actual !== state.genesisHash) return broken;
  const epoch = epochOf(state.genesis, scope, chain);
  if (epoch === null) return { ...broken, detail: 'genesis' };
  const other = [state.genesisEpoch, state.epoch].find((kept) => kept !== epoch);
  if (other === undefined) return null;
  return { seq: 0, id: null, kind: 'head', expected: epoch, actual: other, detail: 'epoch' };
}

/** @returns the epoch, or null if the text is not the genesis of this chain */
function epochOf(genesis: string, scope: Scope, chain: ChainName): number | null {
  try {
    const entry = readEntry(genesis);
    const isOwn =
      entry._type === GENESIS_TYPE &&
      entry.ledger === uuidToId('led', scope.ledgerId) &&
      entry.organisation === uuidToId('org', scope.orgId) &&
      entry.mode === scope.mode &&
      entry.chain === chain;
    return isOwn ? entry.epoch : null;
  } catch {
    return null;
  }
}

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
