import sql from 'sql-template-tag';
import { uuidArray } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns the places of those of the given decisions (UUIDs) that the ledger holds */
export async function findSeqs(
  db: Queryable,
  { ledgerId }: Scope,
  decisionIds: readonly string[],
): Promise<number[]> {
  const rows = await db.query<{ seq: number }>(sql`
    select seq from decisions
    where ledger_id = ${ledgerId}
      and decision_id = any(${uuidArray(decisionIds, (id) => id)}::uuid[])
    order by seq`);
  return rows.map(({ seq }) => seq);
}
