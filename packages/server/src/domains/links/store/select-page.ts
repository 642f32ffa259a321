import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { LinkFilter } from '../rules/filter.js';
import { LINK_COLUMNS, type LinkRow } from './link-row.js';

/** Where the page before ended. */
export interface PagePosition {
  /** ms. */
  readonly createdAt: number;
  /** UUID. */
  readonly linkId: string;
}

/** Newest first: created_at descending, then id descending. The table is named for its index. */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: LinkFilter,
  after: PagePosition | null,
  limit: number,
): Promise<LinkRow[]> {
  return db.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledgerId}${conditions(filter)}${behind(after)}
    order by links.created_at desc, links.link_id desc limit ${limit}`);
}

function behind(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and (created_at, link_id) <
    (to_timestamp(${after.createdAt}::bigint / 1000.0), ${after.linkId}::uuid)`;
}

function conditions(filter: LinkFilter): Sql {
  const all: Sql[] = [];
  if (filter.decisionId !== undefined) all.push(sql`decision_id = ${filter.decisionId}::uuid`);
  if (filter.eventId !== undefined) all.push(sql`event_id = ${filter.eventId}::uuid`);
  if (filter.status !== undefined) all.push(sql`status = ${filter.status}`);
  if (filter.minStrength !== undefined) {
    all.push(sql`correlation_strength >= ${String(filter.minStrength)}::numeric`);
  }
  if (!filter.includeDeleted) all.push(sql`deleted_at is null`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}
