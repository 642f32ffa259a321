import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import { type PageRows, pageOf } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/** Where the page before ended. */
export interface PagePosition {
  /** ms. */
  readonly createdAt: number;
  readonly fingerprint: string;
}

/** Keys that an organisation signed with, newest first. */
export async function selectSigningKeys(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<KeyRow>> {
  const found = await db.query<KeyRow>(sql`
    select ${KEY_COLUMNS} from signing_keys where org_id = ${orgId}${behind(after)}
    order by signing_keys.created_at desc, signing_keys.fingerprint desc limit ${limit + 1}`);
  return pageOf(found, limit);
}

function behind(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and (created_at, fingerprint) < (${instant(after.createdAt)}, ${after.fingerprint})`;
}
