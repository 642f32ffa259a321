import sql from 'sql-template-tag';
import { instant } from '../../../../platform/statement.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { clusterOf, namedCustomer } from './customer.js';

/** Times in ms: `from` inclusive, `until` exclusive. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

/** Places in the chain, both inclusive. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

/**
 * The stretch of the chain in which the decisions of a window lie; null if they, or the stretch, are
 * more than the limit, or none.
 */
export async function selectStretch(
  ledger: LedgerReader,
  { from, until }: Window,
  limit: number,
): Promise<Stretch | null> {
  const [row] = await ledger.query<{
    decisions: number;
    first: number | null;
    last: number | null;
  }>(sql`
    select count(*) as decisions, min(seq) as first, max(seq) as last from (
      select seq from decisions where ledger_id = ${ledger.ledgerId}
        and "timestamp" >= ${instant(from)} and "timestamp" < ${instant(until)} limit ${limit + 1}
    ) found`);
  const { decisions = 0, first = null, last = null } = row ?? {};
  if (first === null || last === null) return null;
  return decisions > limit || last - first >= 2 * limit ? null : { from: first, until: last };
}

export interface OtherRow {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  /** Hash of the customer (52 bits). */
  readonly cluster: number;
}

/**
 * Decisions with a customer that the experiment has not assigned, in the order of the chain. Both tables are
 * bounded by the stretch: the planner has no statistics of experiments, and would read all of one each time.
 */
export async function selectOthers(
  ledger: LedgerReader,
  experimentId: string,
  customerKey: string,
  { from, until }: Window,
  stretch: Stretch,
): Promise<OtherRow[]> {
  return ledger.query<OtherRow>(sql`
    select n.seq, (extract(epoch from n."timestamp") * 1000)::bigint as "timestamp",
      ${clusterOf('n.customer')} as cluster
    from (
      select o.seq, o."timestamp", ${namedCustomer('o', customerKey)} as customer
      from decisions o
      where o.ledger_id = ${ledger.ledgerId} and o.seq between ${stretch.from} and ${stretch.until}
        and o."timestamp" >= ${instant(from)} and o."timestamp" < ${instant(until)}
        and not exists (
          select from experiment_assignments e where e.ledger_id = ${ledger.ledgerId} and e.seq = o.seq
            and e.seq between ${stretch.from} and ${stretch.until} and e.experiment_id = ${experimentId}
            and e.is_valid)
      offset 0
    ) n
    where n.customer is not null order by n.seq`);
}
