import sql, { raw } from 'sql-template-tag';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
  readonly prev_hash: string;
}

/** Hashes of the records at some places of a chain. */
export async function selectChainEnds(
  db: Queryable,
  { ledgerId }: Scope,
  chain: ChainName,
  seqs: readonly number[],
): Promise<ChainEnd[]> {
  return db.query<ChainEnd>(sql`
    select seq, encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash
    from ${raw(chain)} where ledger_id = ${ledgerId} and seq = any(${seqs}::bigint[]) order by seq`);
}
