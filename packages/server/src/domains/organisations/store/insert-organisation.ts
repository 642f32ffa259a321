import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns false when an organisation of that name exists */
export async function insertOrganisation(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  name: string,
  createdAt: number,
): Promise<boolean> {
  const rows = await tx.query<{ org_id: string }>(sql`
    insert into organisations (org_id, name, created_at)
    values (${orgId}, ${name}, to_timestamp(${createdAt}::bigint / 1000.0))
    on conflict (name) do nothing returning org_id`);
  return rows.length === 1;
}
