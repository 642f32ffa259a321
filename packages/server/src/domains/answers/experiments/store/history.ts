import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import type { ExperimentRequest } from '../rules/request.js';
import {
  allocationRate,
  type CurrencyConversion,
  clusterOf,
  dayIfDated,
  namedCustomer,
  ratesTable,
} from './outcomes.js';

export interface HistoryRow {
  /** Place in the list of customers, from 1. */
  readonly place: number;
  readonly decisions: number;
  readonly net: number;
}

/** The first assignment of a customer. */
export interface FirstAssignment {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  /** The search term of the customer. */
  readonly term: number;
}

/**
 * Decisions and money of customers before their first assignments; customers without either are left
 * out. OFFSET keeps the planner from joining in another order than by the indexes of terms and decisions.
 */
export async function selectHistory(
  ledger: LedgerReader,
  request: ExperimentRequest,
  conversion: CurrencyConversion,
  customers: readonly FirstAssignment[],
): Promise<HistoryRow[]> {
  const { customerKey, historyDays } = request;
  const seqs = customers.map(({ seq }) => seq);
  const terms = customers.map(({ term }) => term);
  const prior = sql`
    with customers as (
      select f.place, f.term, d."timestamp", d."timestamp" - make_interval(days => ${historyDays}) as since,
        ${namedCustomer('d', customerKey)} as customer
      from unnest(${seqs}::bigint[], ${terms}::integer[]) with ordinality as f (seq, term, place)
      join decisions d on d.ledger_id = ${ledger.ledgerId} and d.seq = f.seq offset 0
    )
    select c.place, h.seq, c.since, c."timestamp" as first_at
    from customers c, lateral (
      select o.seq, o."timestamp", o.metadata from decisions o
      where o.ledger_id = ${ledger.ledgerId} and o.terms @> array[c.term] offset 0
    ) h
    where h."timestamp" < c."timestamp" and h."timestamp" >= c.since
      and ${namedCustomer('h', customerKey)} = c.customer`;
  return sumHistories(ledger, ledger.ledgerId, request, conversion, prior);
}

/** A decision before the first assignment of its customer. */
export interface PriorDecision extends FirstAssignment {
  /** Place of the customer. */
  readonly cluster: number;
}

/** The same of decisions that are known to be of these customers, in the order of customers. */
export async function selectPriorMoney(
  ledger: LedgerReader,
  request: ExperimentRequest,
  conversion: CurrencyConversion,
  priors: readonly PriorDecision[],
): Promise<HistoryRow[]> {
  const prior = sql`
    select f.place, d.seq, f.first_at - make_interval(days => ${request.historyDays}) as since, f.first_at
    from (
      select place, seq, term, to_timestamp(first_ms / 1000.0)::timestamptz(3) as first_at
      from unnest(${priors.map(({ cluster }) => cluster)}::integer[],
        ${priors.map(({ seq }) => seq)}::bigint[],
        ${priors.map(({ term }) => term)}::integer[],
        ${priors.map(({ timestamp }) => timestamp)}::bigint[]) as p (place, seq, term, first_ms)
    ) f
    join decisions d on d.ledger_id = ${ledger.ledgerId} and d.seq = f.seq and f.term = any(d.terms)
    offset 0`;
  return sumHistories(ledger, ledger.ledgerId, request, conversion, prior);
}

/**
 * Counts decisions and adds up what they moved, for each place.
 * @param prior selects the decisions: place, seq, and the times `since` and `first_at` between which money counts
 */
async function sumHistories(
  ledger: LedgerReader,
  ledgerId: string,
  { labels }: ExperimentRequest,
  conversion: CurrencyConversion,
  prior: Sql,
): Promise<HistoryRow[]> {
  return ledger.query<HistoryRow>(sql`
    with ${ratesTable(conversion)}, prior as (${prior}
    ), moved as (
      select p.place, sum(a.amount * ${allocationRate(conversion)}) as net
      from prior p
      cross join lateral (
        select * from link_allocations l where l.ledger_id = ${ledgerId} and l.decision_seq = p.seq
        offset 0
      ) a
      left join rates r on r.currency = a.currency
      where a.label = any(${labels}::text[]) and a."timestamp" >= p.since
        and a."timestamp" + ${dayIfDated()} <= p.first_at
      group by p.place
    ), counted as (
      select place, count(*) as decisions from prior group by place
    )
    select c.place, c.decisions, coalesce(m.net, 0)::float8 as net
    from counted c left join moved m on m.place = c.place order by c.place`);
}

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
