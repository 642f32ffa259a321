import type { ExchangeRate } from '@decision-ledger/contract/settings';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import type { Scope } from '../../../../platform/scope.js';
import type { ExperimentRequest } from '../rules/request.js';

/** The currency that amounts are converted into, and the rates. */
export interface Conversion {
  readonly base: string;
  readonly rates: readonly ExchangeRate[];
}

/** A matured decision and the money that it moved within the horizon. */
export interface OutcomeRow {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  readonly arm: string;
  readonly propensity: number;
  /** Hash of the customer (52 bits); null without one. */
  readonly cluster: number | null;
  /** JSON text of the customer; null without one, or if it is long. */
  readonly customer: string | null;
  readonly net: number;
  /** Sums over the rows of the page in this arm: decimal text. */
  readonly arm_net: string;
  readonly arm_savings: string;
}

/** Longer names of customers are grouped, but their history is not looked up. */
const LONGEST_CUSTOMER = 1000;

/**
 * The next matured decisions of an experiment in the order of the chain. The customer is read from the
 * decision itself, so that nothing of it is kept twice.
 */
export async function selectOutcomes(
  db: Queryable,
  { ledgerId }: Scope,
  experimentId: string,
  request: ExperimentRequest,
  conversion: Conversion,
  after: number,
  limit: number,
): Promise<OutcomeRow[]> {
  const counts = request.countsSavings ? sql`true` : sql`link_type <> 'saving'`;
  return db.query<OutcomeRow>(sql`
    with ${ratesTable(conversion)}, page as (
      select e.seq, e.arm, e.propensity, e."timestamp" from experiment_assignments e
      where e.ledger_id = ${ledgerId} and e.experiment_id = ${experimentId} and e.is_valid
        and e.seq > ${after} and e."timestamp" <= ${instant(request.maturedUntil)}
      order by e.seq limit ${limit}
    ), moved as (
      select p.seq, a.link_type, a.amount * ${rate(conversion)} as money
      from page p
      join link_allocations a on a.ledger_id = ${ledgerId} and a.decision_seq = p.seq
      left join rates r on r.currency = a.currency
      where ${isWithin(request)}
    ), sums as (
      select seq, sum(money) filter (where ${counts}) as net,
        sum(money) filter (where link_type = 'saving') as savings
      from moved group by seq
    ), named as (
      select p.*, d.metadata::json -> 2 -> ${request.customerKey}::text as customer
      from page p join decisions d on d.ledger_id = ${ledgerId} and d.seq = p.seq
    ), clustered as (
      select n.seq, n.arm, n.propensity, n."timestamp",
        case when json_typeof(n.customer) in ('string', 'number') then n.customer::text end as customer
      from named n
    )
    select c.seq, (extract(epoch from c."timestamp") * 1000)::bigint as "timestamp", c.arm,
      coalesce(c.propensity, 0) as propensity,
      ('x' || left(md5(c.customer), 13))::bit(52)::bigint as cluster,
      case when octet_length(c.customer) <= ${LONGEST_CUSTOMER} then c.customer end as customer,
      coalesce(s.net, 0)::float8 as net,
      coalesce(sum(s.net) over (partition by c.arm), 0)::text as arm_net,
      coalesce(sum(s.savings) over (partition by c.arm), 0)::text as arm_savings
    from clustered c left join sums s on s.seq = c.seq
    order by c.seq`);
}

export interface UnconvertedRow {
  readonly arm: string;
  readonly currency: string;
  /** Decimal text. */
  readonly amount: string;
}

/** Money of matured decisions within the horizon that no rate converts. */
export async function selectUnconverted(
  db: Queryable,
  { ledgerId }: Scope,
  experimentId: string,
  request: ExperimentRequest,
  conversion: Conversion,
): Promise<UnconvertedRow[]> {
  const counted = request.countsSavings ? empty : sql` and a.link_type <> 'saving'`;
  return db.query<UnconvertedRow>(sql`
    with ${ratesTable(conversion)}
    select p.arm, a.currency, sum(a.amount)::text as amount
    from experiment_assignments p
    join link_allocations a on a.ledger_id = ${ledgerId} and a.decision_seq = p.seq
    left join rates r on r.currency = a.currency
    where p.ledger_id = ${ledgerId} and p.experiment_id = ${experimentId} and p.is_valid
      and p."timestamp" <= ${instant(request.maturedUntil)} and ${isWithin(request)}
      and ${rate(conversion)} is null${counted}
    group by p.arm, a.currency order by p.arm, a.currency`);
}

export interface HistoryRow {
  /** Place in the list of customers, from 1. */
  readonly place: number;
  readonly decisions: number;
  readonly net: number;
}

/** The first assignment of a customer. */
export interface FirstAssignment {
  readonly seq: number;
  /** The search term of the customer. */
  readonly term: number;
}

/**
 * Decisions and money of customers before their first assignments; customers without either are left
 * out. OFFSET keeps the planner from joining in another order than by the index of the terms.
 */
export async function selectHistory(
  db: Queryable,
  { ledgerId }: Scope,
  request: ExperimentRequest,
  conversion: Conversion,
  customers: readonly FirstAssignment[],
): Promise<HistoryRow[]> {
  const { customerKey, historyDays, labels } = request;
  const seqs = customers.map(({ seq }) => seq);
  const terms = customers.map(({ term }) => term);
  return db.query<HistoryRow>(sql`
    with ${ratesTable(conversion)}, customers as (
      select f.place, f.term, d."timestamp", d."timestamp" - make_interval(days => ${historyDays}) as since,
        (d.metadata::json -> 2 -> ${customerKey}::text)::text as customer
      from unnest(${seqs}::bigint[], ${terms}::integer[]) with ordinality as f (seq, term, place)
      join decisions d on d.ledger_id = ${ledgerId} and d.seq = f.seq
    ), prior as (
      select c.place, c."timestamp", c.since, h.seq
      from customers c, lateral (
        select o.seq, o."timestamp", o.metadata from decisions o
        where o.ledger_id = ${ledgerId} and o.terms @> array[c.term] offset 0
      ) h
      where h."timestamp" < c."timestamp" and h."timestamp" >= c.since
        and (h.metadata::json -> 2 -> ${customerKey}::text)::text = c.customer
    ), moved as (
      select p.place, sum(a.amount * ${rate(conversion)}) as net
      from prior p
      join link_allocations a on a.ledger_id = ${ledgerId} and a.decision_seq = p.seq
      left join rates r on r.currency = a.currency
      where a.label = any(${labels}::text[]) and a."timestamp" >= p.since
        and a."timestamp" + ${dayIfDated()} <= p."timestamp"
      group by p.place
    ), counted as (
      select place, count(*) as decisions from prior group by place
    )
    select c.place, c.decisions, coalesce(m.net, 0)::float8 as net
    from counted c left join moved m on m.place = c.place order by c.place`);
}

/** `rates r`: for each currency the days and the rates into the base currency, by day. */
function ratesTable({ base, rates }: Conversion): Sql {
  const own = rates.filter(({ to }) => to === base);
  return sql`rates as (
    select g.currency, array_agg(g.day order by g.day) as days,
      jsonb_agg(g.rate order by g.day) as rates
    from unnest(${own.map(({ from }) => from)}::text[], ${own.map(({ date }) => date)}::date[],
      ${own.map((one) => one.rate)}::numeric[]) as g (currency, day, rate)
    group by g.currency)`;
}

/** The rate of the allocation `a`: the latest dated on or before its day (UTC); null if there is none. */
function rate({ base }: Conversion): Sql {
  return sql`(case when a.currency = ${base} then 1 else (r.rates -> (nullif(
    width_bucket((a."timestamp" at time zone 'utc')::date, r.days), 0) - 1))::numeric end)`;
}

/**
 * Whether the allocation `a` counts and its event lies within the horizon of the decision `p`. An event
 * dated at midnight (UTC) is taken as some time of that day.
 */
function isWithin({ labels, horizonDays }: ExperimentRequest): Sql {
  return sql`a.label = any(${labels}::text[])
    and a."timestamp" < p."timestamp" + make_interval(days => ${horizonDays})
    and (a."timestamp" >= p."timestamp" or a."timestamp" + ${dayIfDated()} > p."timestamp")`;
}

function dayIfDated(): Sql {
  return sql`case when date_trunc('day', a."timestamp") = a."timestamp"
    then interval '1 day' else interval '0' end`;
}
