import { type LatenessLimit, readLimit } from '@decision-ledger/proof/bundle/lateness';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import sql, { type Sql } from 'sql-template-tag';
import { uuidToId } from '../../../../platform/ids.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/**
 * Seq of the first decision that was recorded at a time (ms) or later, up to `head`; `head + 1` if there
 * is none. Times of recording never decrease along the chain, so about 20 rows of a million are read.
 */
export async function findRecordedFrom(
  ledger: LedgerReader,
  head: number,
  time: number,
): Promise<number> {
  const [found] = await ledger.query<{ readonly seq: number }>(sql`
    with recursive search as (
      select 1::bigint as low, ${head}::bigint + 1 as high
      union all
      select case when is_after then low else middle + 1 end,
        case when is_after then middle else high end
      from (
        select low, high, (low + high) / 2 as middle, coalesce((
          select d.created_at >= ${instant(time)} from decisions d
          where d.ledger_id = ${ledger.ledgerId} and d.seq = (low + high) / 2), false) as is_after
        from search where low < high
      ) step
    )
    select low as seq from search where low >= high`);
  if (found === undefined) throw new Error('a search ended without a place');
  return found.seq;
}

/** The last change of the limit of lateness in the activity chain; null before the first. */
export async function selectLastLimit(ledger: LedgerReader): Promise<LatenessLimit | null> {
  const subject = uuidToId('led', ledger.ledgerId);
  const [row] = await ledger.query<{ readonly at: number; readonly data: string }>(sql`
    select (extract(epoch from created_at) * 1000)::bigint as at, data from activity
    where ledger_id = ${ledger.ledgerId} and subject = ${subject} and type = 'max_lateness.changed'
      and data is not null
    order by seq desc limit 1`);
  if (row === undefined) return null;
  const { value } = parseDisclosure(row.data, 'data');
  return { at: row.at, seconds: readLimit(new Shape(readJson(value))) };
}

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
