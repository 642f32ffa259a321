import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { CurrentKeyRow } from './select-current-signing-key.js';

export type PrivateKeyRow = Pick<CurrentKeyRow, 'fingerprint' | 'private_key'>;

/** The sealed private keys of an organisation, former ones included. */
export async function selectPrivateKeys(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<PrivateKeyRow[]> {
  return tx.query<PrivateKeyRow>(sql`
    select fingerprint, private_key from signing_keys where org_id = ${orgId}
    order by fingerprint`);
}
