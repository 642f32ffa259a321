import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/** Every ledger whose settings name an accounting connection. */
export async function selectConnectedLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join settings s on s.ledger_id = l.ledger_id
    where s.document like '%"accounting"%'`);
  return rows.map(toScope);
}
