import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { isReviewQueue, type LinkFilter } from '../rules/filter.js';
import { LINK_COLUMNS, type LinkRow } from './link-row.js';

/** Where the page before ended. */
export interface PagePosition {
  /** ms, or the priority in the review queue. */
  readonly value: number;
  /** UUID. */
  readonly linkId: string;
}

/**
 * Newest first: created_at descending, then id descending; the review queue by priority instead. The
 * table is named for its indexes.
 */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: LinkFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<LinkRow>> {
  const key = isReviewQueue(filter) ? 'review_priority' : 'created_at';
  const rows = sql`
    select * from links
    where ledger_id = ${ledgerId}${conditions(filter)}${behind(filter, after)}
    order by links.${raw(key)} desc, links.link_id desc`;
  const order = raw(`${key} desc, link_id desc`);
  return selectPageRows<LinkRow>(db, { ...PAGE, rows, order }, limit);
}

const PAGE = {
  table: raw('links'),
  columns: LINK_COLUMNS,
  bytes: raw('coalesce(octet_length(score), 0) + coalesce(octet_length(notes), 0)'),
};

function behind(filter: LinkFilter, after: PagePosition | null): Sql {
  if (after === null) return empty;
  const { value, linkId } = after;
  return isReviewQueue(filter)
    ? sql` and (review_priority, link_id) < (${value}::float8, ${linkId}::uuid)`
    : sql` and (created_at, link_id) < (${instant(value)}, ${linkId}::uuid)`;
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
