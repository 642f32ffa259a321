import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { LinkRow } from './link-row.js';

export async function updateReview(
  tx: Queryable,
  { ledgerId }: Scope,
  link: Pick<LinkRow, 'link_id' | 'status' | 'reviewed_by' | 'reviewed_at' | 'deleted_at'>,
): Promise<void> {
  await tx.query(sql`
    update links set status = ${link.status}, reviewed_by = ${link.reviewed_by},
      reviewed_at = to_timestamp(${link.reviewed_at}::bigint / 1000.0),
      deleted_at = to_timestamp(${link.deleted_at}::bigint / 1000.0)
    where ledger_id = ${ledgerId} and link_id = ${link.link_id}`);
}
