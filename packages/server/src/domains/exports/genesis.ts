import type { ChainName } from '../../platform/chain/head.js';
import { readChain } from '../../platform/chain/read-head.js';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';

/** The genesis entry of a chain, as it was hashed. */
export async function genesisOf(db: Queryable, scope: Scope, chain: ChainName): Promise<string> {
  const state = await readChain(db, scope, chain);
  if (state === null) throw new Error(`the chain of ${chain} has no beginning`);
  return state.genesis;
}
