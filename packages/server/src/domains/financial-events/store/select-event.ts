import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';

/** @param eventId UUID */
export async function selectEvent(
  db: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledgerId} and event_id = ${eventId}`);
  return row ?? null;
}
