import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns fingerprint of the key that signed until now; null without one */
export async function retireKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  retiredAt: number,
): Promise<string | null> {
  const [retired] = await tx.query<{ fingerprint: string }>(sql`
    update signing_keys set retired_at = to_timestamp(${retiredAt}::bigint / 1000.0)
    where org_id = ${orgId} and retired_at is null returning fingerprint`);
  return retired?.fingerprint ?? null;
}
