import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** The ledger that a download link names; null where there is none. */
export async function selectLedger(
  db: Queryable,
  { ledgerId }: Pick<Scope, 'ledgerId'>,
): Promise<Scope | null> {
  const [scope] = await db.query<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers
    where ledger_id = ${ledgerId}`);
  return scope ?? null;
}

/** Ledgers of all organisations that have a pending, running or complete export. */
export async function selectUnendedLedgers(db: Queryable): Promise<Scope[]> {
  return db.query<Scope>(sql`
    select l.org_id as "orgId", l.ledger_id as "ledgerId", l.mode from ledgers l
    where exists (select from exports e
      where e.ledger_id = l.ledger_id and e.status in ('pending', 'running', 'complete'))`);
}
