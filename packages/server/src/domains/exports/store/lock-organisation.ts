import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Until the transaction ends, no other takes an export from the same organisation's allowance. */
export async function lockOrganisation(tx: Queryable, { orgId }: Scope): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${orgId}`}, 0))`);
}
