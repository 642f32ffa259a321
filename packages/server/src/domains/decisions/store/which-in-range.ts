import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';
import type { EvidenceRange } from './select-evidence.js';

/** Those of some decisions (UUIDs) that lie in a range. */
export async function whichInRange(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, lastSeq }: EvidenceRange,
  decisionIds: readonly string[],
): Promise<string[]> {
  if (decisionIds.length === 0) return [];
  const rows = await db.query<{ decision_id: string }>(sql`
    select decision_id from decisions
    where ledger_id = ${ledgerId} and decision_id = any(${decisionIds}::uuid[])
      and seq <= ${lastSeq}
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}`);
  return rows.map((row) => row.decision_id);
}
