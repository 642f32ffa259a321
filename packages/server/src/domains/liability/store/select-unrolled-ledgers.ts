import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/** Every ledger with estimates that are in no sum yet. */
export async function selectUnrolledLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where exists (select from chain_heads h where h.ledger_id = l.ledger_id
      and h.chain = 'decisions' and h.seq > coalesce((select s.rolled_seq from liability_states s
        where s.ledger_id = l.ledger_id), 0))`);
  return rows.map(toScope);
}
