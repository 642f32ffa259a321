import sql, { empty, raw } from 'sql-template-tag';
import { instant } from '../instant.js';
import type { LedgerReader } from '../ledger.js';
import type { ChainTable } from './head.js';

export interface WalkRange {
  /** Milliseconds since the epoch; the end is excluded. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

export interface SeqBounds {
  readonly first: number;
  readonly last: number;
}

/** The first and last seq of the records in a time range; null if there are none. */
export async function selectBounds(
  ledger: LedgerReader,
  { chain, timeColumn }: ChainTable,
  { start, end }: WalkRange,
): Promise<SeqBounds | null> {
  const time = raw(`"${timeColumn}"`);
  const from = start === undefined ? empty : sql` and ${time} >= ${instant(start)}`;
  const to = end === undefined ? empty : sql` and ${time} < ${instant(end)}`;
  const [row] = await ledger.query<{ first: number | null; last: number | null }>(sql`
    select min(seq) as first, max(seq) as last from ${raw(chain)}
    where ledger_id = ${ledger.ledgerId}${from}${to}`);
  if (row === undefined || row.first === null || row.last === null) return null;
  return { first: row.first, last: row.last };
}
