import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';
import { EVENT_COLUMNS, type EventRow, type PagePosition } from './financial-events.js';

export interface Most {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Events of a range, deleted ones included, oldest first: as many as have so many bytes together, and
 * at least one. The bounds are in ms; the end is excluded.
 */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  after: PagePosition | null,
  most: Most,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    with sized as (
      select c.event_id as place_id, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select event_id, "timestamp", coalesce(octet_length(metadata), 0)
          + coalesce(octet_length(description), 0) as bytes
        from financial_events
        where ledger_id = ${ledgerId}
          and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}${behind(after)}
        order by financial_events."timestamp", financial_events.event_id limit ${most.records}
      ) as c window w as (order by c."timestamp", c.event_id rows unbounded preceding)
    )
    select ${EVENT_COLUMNS}
    from sized join financial_events on ledger_id = ${ledgerId} and event_id = place_id
    where place = 1 or bytes <= ${most.bytes}
    order by financial_events."timestamp", financial_events.event_id`);
}

function behind(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) > (${instant(after.timestamp)}, ${after.eventId}::uuid)`;
}
