import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type PageRows, pageOf } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/**
 * Newest first, revoked ones too.
 * @param before key id (UUID) at which the page before ended
 */
export async function selectKeys(
  db: Queryable,
  { ledgerId }: Scope,
  before: string | null,
  limit: number,
): Promise<PageRows<KeyRow>> {
  const found = await db.query<KeyRow>(sql`
    select ${KEY_COLUMNS} from api_keys k where k.ledger_id = ${ledgerId}
    ${before === null ? empty : sql`and k.key_id < ${before}`}
    order by k.key_id desc limit ${limit + 1}`);
  return pageOf(found, limit);
}
