import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type EvidenceRange, touches } from './select-evidence.js';

/** Those of some links (UUIDs) that are of a decision or an event of a range. */
export async function whichInRange(
  db: Queryable,
  { ledgerId }: Scope,
  range: EvidenceRange,
  linkIds: readonly string[],
): Promise<string[]> {
  if (linkIds.length === 0) return [];
  const rows = await db.query<{ link_id: string }>(sql`
    select link_id from links
    where ledger_id = ${ledgerId} and link_id = any(${linkIds}::uuid[])
      and ${touches(ledgerId, range)}`);
  return rows.map((row) => row.link_id);
}
