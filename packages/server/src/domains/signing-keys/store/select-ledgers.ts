import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Both ledgers of an organisation, live before test. */
export async function selectLedgers(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<Scope[]> {
  return db.query<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers
    where org_id = ${orgId} order by mode`);
}
