import type { Line } from '@decision-ledger/contract/source-profiles';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Slice } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { Filter, Parts } from '../rules/filter.js';
import {
  analyticsConditions,
  customerOf,
  customerOfEvent,
  exchangeRateOf,
  IS_UNCOUNTED,
  LINE_OF_EVENT,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';

/** Which parts of events are listed. */
export interface PartFilter extends Filter {
  readonly parts: Parts;
  readonly customer: string | undefined;
  readonly currency: string | undefined;
  /** Conditions on the columns of `financial_events`. */
  readonly search: readonly Sql[];
}

/** Position of the last row of the previous page. */
export interface RowPosition {
  /** ms. */
  readonly timestamp: number;
  /** UUIDs; LAST for a part that no link takes. */
  readonly eventId: string;
  readonly linkId: string;
}

/** Comes after the links of an event. */
export const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A part of an event: UUIDs, ms and decimal text. */
export interface PartRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  readonly timestamp: number;
  readonly currency: string;
  readonly event_amount: string;
  readonly counted_amount: string;
  readonly link_id: string | null;
  readonly decision_id: string | null;
  readonly label: 'confirmed' | 'matched' | 'guessed' | 'unattributed' | Line;
  readonly link_type: string | null;
  readonly share: string;
  readonly amount: string;
  readonly rate: string | null;
  readonly converted_amount: string | null;
}

/** Parts of events by time, then event, then link; the part that no link takes comes last. */
export async function selectPartRows(
  ledger: LedgerReader,
  filter: PartFilter,
  conversion: MoneySettings,
  { after, limit }: Slice<RowPosition>,
): Promise<PartRow[]> {
  const place = sql`"timestamp", event_id, coalesce(link_id, ${LAST}::uuid)`;
  const more = sql` order by ${place} limit ${limit}`;
  return ledger.query<PartRow>(sql`
    with ${ratesTable(conversion)}, parts as (
      ${partsOf({ ledgerId: ledger.ledgerId, filter, conversion, after }, more)}
    ), page as (select * from parts${more})
    select p.event_id, e.source, e.event_type,
      (extract(epoch from p."timestamp") * 1000)::bigint as "timestamp", p.currency,
      e.amount::text as event_amount, e.counted_amount::text as counted_amount, p.link_id,
      d.decision_id, p.label, p.link_type, round(p.share, 12)::text as share,
      round(p.amount, 12)::text as amount, trim_scale(p.rate)::text as rate,
      trim_scale(p.amount * p.rate)::text as converted_amount
    from page p
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = p.event_id
    left join decisions d on d.ledger_id = ${ledger.ledgerId} and d.seq = p.decision_seq
    order by p."timestamp", p.event_id, coalesce(p.link_id, ${LAST}::uuid)`);
}

export interface PartSum {
  readonly currency: string;
  readonly rows: number;
  readonly own: string;
  /** Null if no rate converts the rows. */
  readonly amount: string | null;
}

/** The exact sums of all parts, by currency. */
export async function sumRows(
  ledger: LedgerReader,
  filter: PartFilter,
  conversion: MoneySettings,
): Promise<PartSum[]> {
  return ledger.query<PartSum>(sql`
    with ${ratesTable(conversion)}, parts as (
      ${partsOf({ ledgerId: ledger.ledgerId, filter, conversion, after: null }, empty)}
    )
    select currency, count(*) as rows, round(sum(amount), 12)::text as own,
      trim_scale(sum(amount * rate))::text as amount
    from parts group by currency order by parts.currency`);
}

interface WhichParts {
  readonly ledgerId: string;
  readonly filter: PartFilter;
  readonly conversion: MoneySettings;
  readonly after: RowPosition | null;
}

/** @param more clauses that follow the rows of links, and those without, alike */
function partsOf(which: WhichParts, more: Sql): Sql {
  const { labels, hasUnlinked, line } = which.filter.parts;
  const some = [
    ...(labels?.length === 0 ? [] : [linked(which)]),
    ...(hasUnlinked ? [unlinked(which)] : []),
    ...(line === null ? [] : [uncounted(which, line)]),
  ];
  return join(
    some.map((rows) => sql`(select * from (${rows}) found${more})`),
    ' union all ',
  );
}

function linked({ ledgerId, filter, conversion, after }: WhichParts): Sql {
  const { parts, customer, currency, search } = filter;
  const rate = exchangeRateOf('a', conversion);
  const isEventNeeded = customer !== undefined;
  const all = [
    ...(parts.labels === null ? [] : [sql`a.label = any(${parts.labels}::text[])`]),
    ...(parts.linkType === null ? [] : [sql`a.link_type = ${parts.linkType}`]),
    ...(currency === undefined ? [] : [sql`a.currency = ${currency}`]),
    ...(customer === undefined
      ? []
      : [sql`${customerOf(ledgerId, conversion.customerKey)} = ${customer}`]),
    ...(search.length === 0
      ? []
      : [
          sql`exists (select from financial_events where ledger_id = ${ledgerId}
            and event_id = a.event_id${and(search)})`,
        ]),
    ...ofRate(parts, rate),
    ...(after === null
      ? []
      : [
          sql`(a."timestamp", a.event_id, a.link_id) > (${instant(after.timestamp)},
          ${after.eventId}::uuid, ${after.linkId}::uuid)`,
        ]),
  ];
  const event = sql`join financial_events e on e.ledger_id = ${ledgerId}
    and e.event_id = a.event_id`;
  return sql`
    select a."timestamp", a.event_id, a.link_id, a.decision_seq, a.label, a.link_type, a.currency,
      a.share, a.amount, ${rate} as rate
    from link_allocations a ${withRates('a')} ${isEventNeeded ? event : empty}
    where a.ledger_id = ${ledgerId}${analyticsConditions('a', filter)}${and(all)}`;
}

/** The amounts of a line, of events that do not count or count without tax. */
function uncounted({ ledgerId, filter, conversion, after }: WhichParts, line: Line): Sql {
  return sql`
    select e."timestamp", e.event_id, null::uuid as link_id, null::bigint as decision_seq,
      ${LINE_OF_EVENT} as label, null as link_type, e.currency,
      e.uncounted_amount / (e.uncounted_amount + e.counted_amount) as share,
      e.uncounted_amount as amount, ${exchangeRateOf('e', conversion)} as rate
    from financial_events e ${withRates('e')}
    where e.ledger_id = ${ledgerId} and ${LINE_OF_EVENT} = ${line}
      and ${IS_UNCOUNTED}${and([...ofEvents(filter, conversion, after), ...filter.search])}`;
}

/** The conditions on an event of which a part is listed that no link takes. */
function ofEvents(
  { start, end, customer, currency }: PartFilter,
  { customerKey }: MoneySettings,
  after: RowPosition | null,
): Sql[] {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return [
    ...(currency === undefined ? [] : [sql`e.currency = ${currency}`]),
    ...(customer === undefined ? [] : [sql`${customerOfEvent(customerKey)} = ${customer}`]),
    ...(after === null
      ? []
      : [
          sql`(e."timestamp", e.event_id, ${LAST}::uuid) > (${instant(after.timestamp)},
          ${after.eventId}::uuid, ${after.linkId}::uuid)`,
        ]),
    sql`true${analyticsConditions('e', range)}`,
  ];
}

function unlinked({ ledgerId, filter, conversion, after }: WhichParts): Sql {
  const rate = exchangeRateOf('e', conversion);
  const all = [
    sql`e.counted_amount <> e.taken`,
    ...ofEvents(filter, conversion, after),
    ...ofRate(filter.parts, rate),
  ];
  return sql`
    select e."timestamp", e.event_id, null::uuid as link_id, null::bigint as decision_seq,
      'unattributed' as label, null as link_type, e.currency,
      coalesce((e.counted_amount - e.taken) / nullif(e.counted_amount, 0), 0) as share,
      e.counted_amount - e.taken as amount, ${rate} as rate
    from (
      select f.*, coalesce((
        select sum(a.amount) from link_allocations a
        where a.ledger_id = ${ledgerId} and a.event_id = f.event_id), 0) as taken
      from financial_events f where f.ledger_id = ${ledgerId} and f.deleted_at is null${and(filter.search)}
    ) e ${withRates('e')}
    where ${join(all, ' and ')}`;
}

function ofRate({ isConverted }: Parts, rate: Sql): Sql[] {
  if (isConverted === null) return [];
  return [isConverted ? sql`(${rate}) is not null` : sql`(${rate}) is null`];
}

const and = (all: readonly Sql[]): Sql =>
  all.length === 0 ? empty : sql` and ${join([...all], ' and ')}`;
