import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Identifiers of the decisions of which fields were erased behind a place in the chain of activity. */
export async function selectErasures(
  db: Queryable,
  { ledgerId }: Scope,
  since: number,
): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(sql`
    select distinct subject from activity
    where ledger_id = ${ledgerId} and seq > ${since} and type = 'decision.field_erased'`);
  return rows.map(({ subject }) => subject);
}
