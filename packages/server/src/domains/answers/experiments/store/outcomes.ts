import type { ExchangeRate } from '@decision-ledger/contract/settings';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import type { ExperimentRequest } from '../rules/request.js';

/** A matured decision. */
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
}

/** Longer names of customers are grouped, but their history is not looked up. */
const LONGEST_CUSTOMER = 1000;

/** A stretch of the chain: `after` exclusive, `until` inclusive. */
export interface MaturedRange {
  readonly after: number;
  readonly until: number;
}

/**
 * The matured decisions of an experiment in a stretch of the chain, in its order. The customer is read from
 * the decision itself, so that nothing of it is kept twice.
 */
export async function selectMaturedOutcomes(
  ledger: LedgerReader,
  experimentId: string,
  request: ExperimentRequest,
  { after, until }: MaturedRange,
): Promise<OutcomeRow[]> {
  return ledger.query<OutcomeRow>(sql`
    select c.seq, (extract(epoch from c."timestamp") * 1000)::bigint as "timestamp", c.arm,
      coalesce(c.propensity, 0) as propensity, ${clusterOf('c.customer')} as cluster,
      case when octet_length(c.customer) <= ${LONGEST_CUSTOMER} then c.customer end as customer
    from (
      select e.seq, e.arm, e.propensity, e."timestamp",
        ${namedCustomer('d', request.customerKey)} as customer
      from experiment_assignments e
      join decisions d on d.ledger_id = ${ledger.ledgerId} and d.seq = e.seq
        and d.seq > ${after} and d.seq <= ${until}
      where e.ledger_id = ${ledger.ledgerId} and e.experiment_id = ${experimentId} and e.is_valid
        and e.seq > ${after} and e.seq <= ${until}
        and e."timestamp" <= ${instant(request.maturedUntil)}
      offset 0
    ) c
    order by c.seq`);
}

/** What a decision moved within the horizon: decimal text. */
export interface OutcomeMoneyRow {
  readonly seq: number;
  readonly net: string;
  readonly savings: string;
  /** Mean share that counts of the events that point at the decision. */
  readonly covered: number;
}

/**
 * The money of the matured decisions in a stretch of the chain, in its order; those at which no event points are left out.
 * It starts at the allocations of the stretch: the planner has no statistics of experiments, and would read
 * all allocations for every page, or compare each with each.
 */
export async function selectMoney(
  ledger: LedgerReader,
  experimentId: string,
  request: ExperimentRequest,
  conversion: CurrencyConversion,
  { after, until }: MaturedRange,
): Promise<OutcomeMoneyRow[]> {
  const isAsked = sql`label = any(${request.labels}::text[])`;
  const counts = request.countsSavings ? isAsked : sql`${isAsked} and link_type <> 'saving'`;
  return ledger.query<OutcomeMoneyRow>(sql`
    with ${ratesTable(conversion)}, a as (
      select decision_seq, link_type, label, currency, share, amount, "timestamp" from link_allocations
      where ledger_id = ${ledger.ledgerId} and decision_seq > ${after} and decision_seq <= ${until} offset 0
    ), moved as (
      select p.seq, a.link_type, a.label, a.share, a.amount * ${allocationRate(conversion)} as money
      from a
      cross join lateral (
        select e.seq, e."timestamp" from experiment_assignments e
        where e.ledger_id = ${ledger.ledgerId} and e.seq = a.decision_seq
          and e.experiment_id = ${experimentId} and e.is_valid
          and e."timestamp" <= ${instant(request.maturedUntil)} offset 0
      ) p
      left join rates r on r.currency = a.currency
      where ${isWithin(request)}
    )
    select seq, coalesce(sum(money) filter (where ${counts}), 0)::text as net,
      coalesce(sum(money) filter (where ${isAsked} and link_type = 'saving'), 0)::text as savings,
      (coalesce(sum(share) filter (where ${isAsked}), 0) / count(*))::float8 as covered
    from moved group by seq order by seq`);
}

export interface UnconvertedRow {
  readonly arm: string;
  readonly currency: string;
  /** Decimal text. */
  readonly amount: string;
}

/** Money of matured decisions within the horizon that no rate converts. */
export async function selectUnconverted(
  ledger: LedgerReader,
  experimentId: string,
  request: ExperimentRequest,
  conversion: CurrencyConversion,
): Promise<UnconvertedRow[]> {
  const counted = request.countsSavings ? empty : sql` and a.link_type <> 'saving'`;
  return ledger.query<UnconvertedRow>(sql`
    with ${ratesTable(conversion)}
    select p.arm, a.currency, sum(a.amount)::text as amount
    from experiment_assignments p
    join link_allocations a on a.ledger_id = ${ledger.ledgerId} and a.decision_seq = p.seq
    left join rates r on r.currency = a.currency
    where p.ledger_id = ${ledger.ledgerId} and p.experiment_id = ${experimentId} and p.is_valid
      and p."timestamp" <= ${instant(request.maturedUntil)} and ${isWithin(request)}
      and a.label = any(${request.labels}::text[]) and ${allocationRate(conversion)} is null${counted}
    group by p.arm, a.currency order by p.arm, a.currency`);
}

/**
 * Whether the event of the allocation `a` lies within the horizon of the decision `p`. An event dated at midnight
 * (UTC) is taken as some time of that day.
 */
function isWithin({ horizonDays }: ExperimentRequest): Sql {
  return sql`a."timestamp" < p."timestamp" + make_interval(days => ${horizonDays})
    and (a."timestamp" >= p."timestamp" or a."timestamp" + ${dayIfDated()} > p."timestamp")`;
}

/** The currency that amounts are converted into, and the rates. */
export interface CurrencyConversion {
  readonly base: string;
  readonly rates: readonly ExchangeRate[];
}

/** `rates r`: for each currency the days and the rates into the base currency, by day. */
export function ratesTable({ base, rates }: CurrencyConversion): Sql {
  const own = rates.filter(({ to }) => to === base);
  return sql`rates as (
    select g.currency, array_agg(g.day order by g.day) as days,
      jsonb_agg(g.rate order by g.day) as rates
    from unnest(${own.map(({ from }) => from)}::text[], ${own.map(({ date }) => date)}::date[],
      ${own.map((one) => one.rate)}::numeric[]) as g (currency, day, rate)
    group by g.currency)`;
}

/** The rate of the allocation `a`: the latest dated on or before its day (UTC); null if there is none. */
export function allocationRate({ base }: CurrencyConversion): Sql {
  return sql`(case when a.currency = ${base} then 1 else (r.rates -> (nullif(
    width_bucket((a."timestamp" at time zone 'utc')::date, r.days), 0) - 1))::numeric end)`;
}

/** The length of the day on which an event without a time of day lies. */
export function dayIfDated(): Sql {
  return sql`case when date_trunc('day', a."timestamp") = a."timestamp"
    then interval '1 day' else interval '0' end`;
}

/**
 * JSON text of the customer that a decision names: a string or a number; null without one. The member is
 * looked up in a subquery that the planner must not flatten, since it would parse the metadata once for
 * each use.
 * @param decision alias of the decision
 * @param key the member of the metadata that names the customer
 */
export function namedCustomer(decision: 'd' | 'o' | 'h', key: string): Sql {
  return sql`(select case when json_typeof(m.named) in ('string', 'number') then m.named::text end
    from (select ${raw(decision)}.metadata::json #> array['2', ${key}::text] as named offset 0) m)`;
}

/**
 * Hash of a customer (52 bits).
 * @param name of the column with its JSON text
 */
export function clusterOf(name: 'c.customer' | 'n.customer'): Sql {
  return sql`('x' || left(md5(${raw(name)}), 13))::bit(52)::bigint`;
}
