import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';

/** The event that was made from this before, deleted or not. */
export async function selectEventByOrigin(
  db: Queryable,
  { ledgerId }: Scope,
  origin: string,
): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledgerId} and origin = ${origin}`);
  return row ?? null;
}
