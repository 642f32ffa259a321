import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** What holds for both ledgers of an organisation is kept with its live one. */
export async function selectOrganisationSettings(
  db: Queryable,
  { orgId }: Scope,
): Promise<string | null> {
  const [row] = await db.query<{ document: string }>(sql`
    select s.document from settings s
    join ledgers l on l.ledger_id = s.ledger_id
    where l.org_id = ${orgId} and l.mode = 'live'`);
  return row?.document ?? null;
}
