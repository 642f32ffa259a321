import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/** Every ledger whose last nightly run that is complete is from before a day (`2026-04-16`). */
export async function selectDueLedgers(db: Queryable, day: string): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where not exists (select from liability_states s where s.ledger_id = l.ledger_id
      and s.completed_day >= ${day}::date)`);
  return rows.map(toScope);
}
