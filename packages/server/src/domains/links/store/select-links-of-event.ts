import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { LINK_COLUMNS, type LinkRow } from './link-row.js';

/** The links of an event (UUID) that stand, oldest first. */
export async function selectLinksOfEvent(
  db: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<LinkRow[]> {
  return db.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledgerId} and event_id = ${eventId} and deleted_at is null
    order by links.link_id`);
}
