import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';

export interface EventRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
  /** ms. */
  readonly timestamp: number;
}

/** Events that wait to be correlated, oldest first: as many as fit into a page. */
export async function selectNewEvents(
  db: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<readonly EventRow[]> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledgerId} and correlated_at is null and deleted_at is null
    order by event_id`;
  return (await selectPageRows<EventRow>(db, { ...PAGE, rows }, limit)).rows;
}

const PAGE = {
  table: raw('financial_events'),
  columns: raw(`event_id, event_type, amount::text as amount, currency, external_id, metadata,
    (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"`),
  order: raw('event_id'),
  bytes: raw('coalesce(octet_length(metadata), 0)'),
};
