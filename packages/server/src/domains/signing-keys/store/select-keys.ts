import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/** All keys that an organisation ever signed with, newest first. */
export async function selectKeys(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select ${KEY_COLUMNS} from signing_keys where org_id = ${orgId}
    order by signing_keys.created_at desc, fingerprint`);
}
