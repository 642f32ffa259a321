import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/** Every ledger with events that were never correlated. */
export async function selectWaitingLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where exists (select from financial_events e where e.ledger_id = l.ledger_id
      and e.correlated_at is null and e.deleted_at is null)`);
  return rows.map(toScope);
}
