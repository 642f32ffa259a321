import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { PrivateKeyRow } from './select-private-keys.js';

/** Signing keys of a few organisations, to try a master key on. */
export async function selectSealedKeys(
  db: Queryable,
  limit: number,
): Promise<(PrivateKeyRow & { readonly org_id: string })[]> {
  return db.query<PrivateKeyRow & { readonly org_id: string }>(sql`
    select org_id, fingerprint, private_key from signing_keys
    order by created_at desc limit ${limit}`);
}
