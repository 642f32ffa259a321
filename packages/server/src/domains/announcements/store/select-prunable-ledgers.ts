import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/** Every ledger whose oldest announcement is from before a time (ms). */
export async function selectPrunableLedgers(db: Queryable, before: number): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where (select a.created_at from announcements a where a.ledger_id = l.ledger_id
      order by a.seq limit 1) < to_timestamp(${before}::bigint / 1000.0)`);
  return rows.map(toScope);
}
