import sql from 'sql-template-tag';
import type { LedgerReader } from '../ledger.js';
import type { ChainName } from './head.js';

/** The genesis and the head of a chain, read in one snapshot. */
export interface ChainState {
  /** The epoch of the head; `genesisEpoch` is that of the chain's row. */
  readonly epoch: number;
  readonly genesisEpoch: number;
  readonly genesis: string;
  readonly genesisHash: string;
  readonly seq: number;
  readonly hash: string;
}

/** @returns null if the chain's row or its head is missing */
export async function readChain(
  ledger: LedgerReader,
  chain: ChainName,
): Promise<ChainState | null> {
  const [state] = await ledger.query<ChainState>(sql`
    select h.epoch, c.epoch as "genesisEpoch", c.genesis, encode(c.genesis_hash, 'hex') as "genesisHash",
      h.seq, encode(h.hash, 'hex') as hash
    from chain_heads h join chains c on c.ledger_id = h.ledger_id and c.chain = h.chain
    where h.ledger_id = ${ledger.ledgerId} and h.chain = ${chain}`);
  return state ?? null;
}
