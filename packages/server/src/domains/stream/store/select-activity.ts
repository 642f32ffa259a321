import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import type { Span } from './span.js';

/** A record of the chain of activity. */
export interface ActivityRow {
  readonly seq: number;
  readonly activity_id: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  /** ms. */
  readonly created_at: number;
  /** A disclosure; of the types that are sent alone. */
  readonly data: string | null;
}

/** At most so many, and as many as fit into a page. @param types those whose data is read */
export async function selectActivity(
  db: Queryable,
  { ledgerId }: Scope,
  { after, last, limit }: Span,
  types: readonly string[],
): Promise<PageRows<ActivityRow>> {
  const isRead = sql`type = any(${types}::text[])`;
  const columns = sql`seq, activity_id, type, actor, subject,
      (extract(epoch from created_at) * 1000)::bigint as created_at,
      case when ${isRead} then data end as data`;
  const rows = sql`
    select * from activity
    where ledger_id = ${ledgerId} and seq > ${after} and seq <= ${last}
    order by seq`;
  const bytes = sql`case when ${isRead} then coalesce(octet_length(data), 0) else 0 end`;
  return selectPageRows<ActivityRow>(db, { ...PAGE, columns, rows, bytes }, limit);
}

const PAGE = { table: raw('activity'), order: raw('seq') };
