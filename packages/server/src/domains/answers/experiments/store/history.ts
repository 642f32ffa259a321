import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { ExperimentRequest } from '../rules/request.js';
import { allocationRate, type CurrencyConversion, dayIfDated, ratesTable } from './conversion.js';
import { namedCustomer } from './customer.js';

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
