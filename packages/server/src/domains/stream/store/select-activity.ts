import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
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

/** @param types those whose data is read */
export async function selectActivity(
  db: Queryable,
  { ledgerId }: Scope,
  { after, last, limit }: Span,
  types: readonly string[],
): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(sql`
    select seq, activity_id, type, actor, subject,
      (extract(epoch from created_at) * 1000)::bigint as created_at,
      case when type = any(${types}::text[]) then data end as data
    from activity
    where ledger_id = ${ledgerId} and seq > ${after} and seq <= ${last}
    order by seq limit ${limit}`);
}
