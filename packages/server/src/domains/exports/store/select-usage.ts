import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** What counts against an organisation's allowance: its exports of both modes that did not fail. */
export interface Usage {
  readonly used: number;
  /** When the export was asked for whose end of counting makes room for another, ms; null if none. */
  readonly freedBy: number | null;
  /** When the newest was asked for, ms. */
  readonly newest: number | null;
}

/**
 * @param since ms: what was asked for before does not count any more
 * @param limit how many may count at a time
 */
export async function selectUsage(
  db: Queryable,
  { orgId }: Scope,
  since: number,
  limit: number,
): Promise<Usage> {
  const [usage] = await db.query<Usage>(sql`
    select count(*)::integer as used, max(at) as newest,
      (array_agg(at order by at))[greatest(1, count(*) - ${limit}::bigint + 1)::integer] as "freedBy"
    from (
      select (extract(epoch from created_at) * 1000)::bigint as at from exports
      where org_id = ${orgId} and created_at > to_timestamp(${since}::bigint / 1000.0)
        and status <> 'failed'
    ) counted`);
  return usage ?? { used: 0, freedBy: null, newest: null };
}
