import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { ChainLength } from '../../../platform/stored-metrics.js';

/** Records of the chains of all ledgers together: no figure tells of a single one. */
export async function sumChainHeads(db: Queryable): Promise<ChainLength[]> {
  return db.query<ChainLength>(sql`
    select h.chain, sum(h.seq)::float8 as records from chain_heads h group by h.chain`);
}
