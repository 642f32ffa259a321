import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import type { EventFilter } from '../rules/filter.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';

/** Where the page before ended. */
export interface PagePosition {
  /** ms. */
  readonly timestamp: number;
  /** UUID. */
  readonly eventId: string;
}

/** Newest first: timestamp descending, then id descending. The table is named for its index. */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: EventFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<EventRow>> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledgerId}${conditions(filter)}${behind(after)}
    order by financial_events."timestamp" desc, financial_events.event_id desc`;
  return selectPageRows<EventRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('financial_events'),
  columns: EVENT_COLUMNS,
  order: raw('"timestamp" desc, event_id desc'),
  bytes: raw('coalesce(octet_length(metadata), 0) + coalesce(octet_length(description), 0)'),
};

function behind(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) < (${instant(after.timestamp)}, ${after.eventId}::uuid)`;
}

function conditions(filter: EventFilter): Sql {
  const all: Sql[] = [];
  if (filter.start !== undefined) all.push(sql`"timestamp" >= ${instant(filter.start)}`);
  if (filter.end !== undefined) all.push(sql`"timestamp" < ${instant(filter.end)}`);
  if (filter.source !== undefined) all.push(sql`source = ${filter.source}`);
  if (filter.eventType !== undefined) all.push(sql`event_type = ${filter.eventType}`);
  if (filter.externalId !== undefined) all.push(sql`external_id = ${filter.externalId}`);
  if (filter.currency !== undefined) all.push(sql`currency = ${filter.currency}`);
  if (!filter.includeDeleted) all.push(sql`deleted_at is null`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}
