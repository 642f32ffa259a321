import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';
import type { PagePosition } from './select-page.js';

/** Events of a range, deleted ones included, oldest first. The bounds are in ms; the end is excluded. */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  after: PagePosition | null,
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledgerId}
      and "timestamp" >= ${at(start)} and "timestamp" < ${at(end)}${behind(after)}
    order by financial_events."timestamp", financial_events.event_id limit ${limit}`);
}

function behind(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) > (${at(after.timestamp)}, ${after.eventId}::uuid)`;
}

/** Far from 1970 to_timestamp misses the millisecond, and an event may be dated 9999. */
const at = (ms: number): Sql => sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;
