import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** Ledgers of all organisations that have a pending, running or complete export. */
export async function selectUnendedLedgers(db: Queryable): Promise<Scope[]> {
  return db.query<Scope>(sql`
    select l.org_id as "orgId", l.ledger_id as "ledgerId", l.mode from ledgers l
    where exists (select from exports e
      where e.ledger_id = l.ledger_id and e.status in ('pending', 'running', 'complete'))`);
}
