import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Every ledger of the installation, in the order of their ids. */
export async function selectAllLedgers(db: Queryable): Promise<Scope[]> {
  return db.query<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers order by ledger_id`);
}
