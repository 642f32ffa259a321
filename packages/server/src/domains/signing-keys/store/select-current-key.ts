import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

export interface CurrentKeyRow extends KeyRow {
  /** Sealed. */
  readonly private_key: Buffer;
}

/** The key that an organisation signs with; null before there is one. */
export async function selectCurrentKey(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<CurrentKeyRow | null> {
  const [row] = await db.query<CurrentKeyRow>(sql`
    select ${KEY_COLUMNS}, private_key from signing_keys
    where org_id = ${orgId} and retired_at is null`);
  return row ?? null;
}
