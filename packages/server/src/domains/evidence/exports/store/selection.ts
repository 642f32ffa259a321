import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/** Decisions up to a place in the chain; times in ms, the end is exclusive. */
interface Extent {
  readonly start: number;
  readonly end: number;
  readonly lastSeq: number;
}

/** Conditions on a decision, each starting with ` and `. */
interface Conditions {
  readonly chosen: Sql;
  readonly undecidable: Sql;
}

/** What a filter chooses of a range. */
interface ChosenExtent {
  /** The ends of the range, chosen or not; null if it has no decision. */
  readonly first: number | null;
  readonly last: number | null;
  readonly in_range: number;
  readonly chosen: number;
  /** Decisions of which the filter cannot say whether they match. */
  readonly erased: number;
}

export async function selectChosenExtent(
  ledger: LedgerReader,
  { start, end, lastSeq }: Extent,
  { chosen, undecidable }: Conditions,
): Promise<ChosenExtent> {
  const [row] = await ledger.query<ChosenExtent>(sql`
    select min(seq) as first, max(seq) as last, count(*) as in_range,
      count(*) filter (where true${chosen}) as chosen,
      count(*) filter (where true${undecidable}) as erased
    from decisions
    where ledger_id = ${ledger.ledgerId} and seq <= ${lastSeq}
      and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}`);
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}
