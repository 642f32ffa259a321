import sql, { empty, type Sql } from 'sql-template-tag';
import { instant } from '../../../../platform/statement.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { ExperimentRequest } from '../rules/request.js';
import { allocationRate, type CurrencyConversion, dayIfDated, ratesTable } from './conversion.js';
import { clusterOf, namedCustomer } from './customer.js';

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
}

/**
 * The money of the matured decisions in a stretch of the chain, in its order; those without any are left out.
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
  const counts = request.countsSavings ? sql`true` : sql`link_type <> 'saving'`;
  return ledger.query<OutcomeMoneyRow>(sql`
    with ${ratesTable(conversion)}, a as (
      select decision_seq, link_type, label, currency, amount, "timestamp" from link_allocations
      where ledger_id = ${ledger.ledgerId} and decision_seq > ${after} and decision_seq <= ${until} offset 0
    ), moved as (
      select p.seq, a.link_type, a.amount * ${allocationRate(conversion)} as money
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
      coalesce(sum(money) filter (where link_type = 'saving'), 0)::text as savings
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
      and ${allocationRate(conversion)} is null${counted}
    group by p.arm, a.currency order by p.arm, a.currency`);
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
