import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { exchangeRateOf, type MoneySettings, ratesTable, withRates } from './conditions.js';

/** An event whose change a restatement explains: UUIDs, decimal texts, time in ms. */
export interface ExplainedEvent {
  readonly event_id: string;
  readonly at: number;
  readonly currency: string;
  /** Into the base currency; null if there is none. */
  readonly rate: string | null;
  /** 0 if it is deleted. */
  readonly counted_amount: string;
  /** JSON: what links take of it. */
  readonly links: string;
  /** The links of its movement, deleted or not. */
  readonly link_ids: readonly string[];
}

/** Events (UUIDs) with what they count with now, in the order of time. */
export async function selectExplained(
  ledger: LedgerReader,
  conversion: MoneySettings,
  eventIds: readonly string[],
): Promise<ExplainedEvent[]> {
  const { ledgerId } = ledger;
  return ledger.query<ExplainedEvent>(sql`
    with ${ratesTable(conversion)}
    select e.event_id, (extract(epoch from e."timestamp") * 1000)::bigint as at, e.currency,
      trim_scale(${exchangeRateOf('e', conversion)})::text as rate,
      trim_scale(e.counted_amount)::text as counted_amount,
      coalesce((
        select json_agg(json_build_object('label', t.label, 'link_type', t.link_type, 'amount', t.amount)
          order by t.label, t.link_type)
        from (
          select a.label, a.link_type, sum(a.amount)::text as amount from link_allocations a
          where a.ledger_id = ${ledgerId} and a.event_id = e.event_id group by a.label, a.link_type
        ) t)::text, '[]') as links,
      array(
        select l.link_id::text from financial_events m
        cross join lateral (
          select * from links where ledger_id = ${ledgerId} and event_id = m.event_id offset 0) as l
        where m.ledger_id = ${ledgerId} and m.lead_id = e.lead_id) as link_ids
    from unnest(${eventIds}::uuid[]) as changed (event_id),
    lateral (
      select * from financial_events
      where ledger_id = ${ledgerId} and event_id = changed.event_id offset 0) as e ${withRates('e')}
    order by e."timestamp", e.event_id`);
}
