import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param sealed the same private key under another master key */
export async function updatePrivateKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  fingerprint: string,
  sealed: Buffer,
): Promise<void> {
  await tx.query(sql`
    update signing_keys set private_key = ${sealed}
    where org_id = ${orgId} and fingerprint = ${fingerprint}`);
}
