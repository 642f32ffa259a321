import { type LatenessLimit, readLimit } from '@decision-ledger/proof/bundle/lateness';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { uuidToId } from '../../../../platform/ids.js';
import type { Scope } from '../../../../platform/scope.js';

/**
 * Seq of the first decision that was recorded at a time (ms) or later, up to `head`; `head + 1` if there
 * is none. Times of recording never decrease along the chain, so about 20 rows of a million are read.
 */
export async function findRecordedFrom(
  db: Queryable,
  { ledgerId }: Scope,
  head: number,
  time: number,
): Promise<number> {
  let [low, high] = [1, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await db.query<{ readonly recorded: number }>(sql`
      select (extract(epoch from created_at) * 1000)::bigint as recorded
      from decisions where ledger_id = ${ledgerId} and seq = ${middle}`);
    if (row === undefined || row.recorded < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last change of the limit of lateness in the activity chain; null before the first. */
export async function selectLastLimit(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<LatenessLimit | null> {
  const subject = uuidToId('led', ledgerId);
  const [row] = await db.query<{ readonly at: number; readonly data: string }>(sql`
    select (extract(epoch from created_at) * 1000)::bigint as at, data from activity
    where ledger_id = ${ledgerId} and subject = ${subject} and type = 'max_lateness.changed'
      and data is not null
    order by seq desc limit 1`);
  if (row === undefined) return null;
  const { value } = parseDisclosure(row.data, 'data');
  return { at: row.at, seconds: readLimit(new Shape(readJson(value))) };
}
