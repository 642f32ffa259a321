import sql from 'sql-template-tag';
import type { Queryable } from '../database.js';
import type { Scope } from '../scope.js';
import type { ChainName } from './head.js';

/** Where a chain begins and where it ends right now, read in one snapshot. */
export interface ChainState {
  readonly epoch: number;
  readonly genesis: string;
  readonly genesisHash: string;
  readonly seq: number;
  readonly hash: string;
}

export async function readChain(
  db: Queryable,
  { ledgerId }: Scope,
  chain: ChainName,
): Promise<ChainState> {
  const [state] = await db.query<ChainState>(sql`
    select h.epoch, c.genesis, encode(c.genesis_hash, 'hex') as "genesisHash",
      h.seq, encode(h.hash, 'hex') as hash
    from chain_heads h join chains c on c.ledger_id = h.ledger_id and c.chain = h.chain
    where h.ledger_id = ${ledgerId} and h.chain = ${chain}`);
  if (state === undefined) throw new Error(`ledger ${ledgerId} has no ${chain} chain`);
  return state;
}
