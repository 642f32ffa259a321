import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';

/** Where the chains stand, and what of them lies in a range, at one moment. */
export interface PinsRow {
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly decisions: number;
  readonly since: number;
}

/** @param range ms; the end is excluded */
export async function selectPins(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<PinsRow> {
  const [row] = await db.query<PinsRow>(sql`
    select min(d.seq) as "firstSeq", max(d.seq) as "lastSeq", count(*) as decisions,
      (select a.seq from chain_heads a
        where a.ledger_id = ${ledgerId} and a.chain = 'activity') as since
    from decisions d
    join chain_heads h on h.ledger_id = d.ledger_id and h.chain = 'decisions' and d.seq <= h.seq
    where d.ledger_id = ${ledgerId}
      and d."timestamp" >= ${instant(start)}
      and d."timestamp" < ${instant(end)}`);
  if (row === undefined) throw new Error('an aggregate gave no row');
  return row;
}
