import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { LINK_COLUMNS, type LinkRow } from './link-row.js';

/** The link of this type that already stands between the two. */
export async function selectStandingLink(
  db: Queryable,
  { ledgerId }: Scope,
  { event_id, decision_id, link_type }: Pick<LinkRow, 'event_id' | 'decision_id' | 'link_type'>,
): Promise<LinkRow | null> {
  const [row] = await db.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledgerId} and event_id = ${event_id} and decision_id = ${decision_id}
      and link_type = ${link_type} and deleted_at is null`);
  return row ?? null;
}
