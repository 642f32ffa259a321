import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/**
 * The parts of the counted amounts of movements that the links that are not deleted take, of whichever report each is: by
 * strength and at most 100 %, in 12 decimals. Where links take a whole movement, its largest part is what the
 * others leave, so that the parts sum to the counted amount exactly. A part names the report that leads.
 * @param ofMovements a condition on the reports `m`
 */
const partsOf = (ledgerId: string, ofMovements: Sql) => sql`
  select p.link_id, p.event_id, d.seq as decision_seq, d.agent_id, d.action_type, p."timestamp",
    p.link_type, p.label, p.currency, p.share,
    (case when p.total >= 1 and p.place = 1
      then p.counted_amount - (sum(p.part) over (partition by p.event_id) - p.part)
      else p.part end)::numeric(32, 12) as amount
  from (
    select s.*, e."timestamp", e.currency, e.counted_amount,
      s.strength / greatest(1, s.total) as share,
      round(e.counted_amount * s.strength / greatest(1, s.total), 12) as part
    from (
      select l.link_id, m.lead_id as event_id, l.decision_id, l.link_type,
        l.correlation_strength as strength,
        coalesce(l.label, case when l.status = 'ML_SUGGESTED' then 'guessed' else 'confirmed' end) as label,
        sum(l.correlation_strength) over (partition by m.lead_id) as total,
        row_number() over (partition by m.lead_id
          order by l.correlation_strength desc, l.link_id) as place
      from financial_events m
      join links l on l.ledger_id = ${ledgerId} and l.event_id = m.event_id
      where m.ledger_id = ${ledgerId} and m.deleted_at is null and l.deleted_at is null
        and ${ofMovements}
    ) s
    join financial_events e on e.ledger_id = ${ledgerId} and e.event_id = s.event_id
    where e.deleted_at is null
  ) p
  join decisions d on d.ledger_id = ${ledgerId} and d.decision_id = p.decision_id`;

const PARTS = raw(`link_id, event_id, decision_seq, agent_id, action_type, "timestamp", link_type,
  label, currency, share, amount`);

/**
 * Stores the parts of the movements that reports (UUIDs) lead.
 * @returns seqs of the decisions that received a share
 */
export async function insertAllocations(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    insert into link_allocations (ledger_id, ${PARTS})
    select own.ledger_id, ${PARTS} from ${ownRow(tx.ledgerId)} as own, (${partsOf(tx.ledgerId, sql`m.lead_id = any(${eventIds}::uuid[])`)}) a
    returning decision_seq`);
  return rows.map(({ decision_seq }) => decision_seq);
}

export const ALLOCATIONS = new DerivedRows('link_allocations', {
  key: ['link_id'],
  values: [
    ...['event_id', 'decision_seq', 'agent_id', 'action_type', 'timestamp', 'link_type', 'label'],
    ...['currency', 'share', 'amount'],
  ],
});

/** Computes the parts of the movements that a range of reports (UUIDs) lead again and compares them with the stored ones. */
export async function compareAllocations(
  ledger: LedgerReader,
  { after, until }: KeyRange<string>,
): Promise<RowComparison> {
  const inRange = (lead: Sql) => {
    const later = after === null ? empty : sql` and ${lead} > ${after}::uuid`;
    const earlier = until === null ? empty : sql` and ${lead} <= ${until}::uuid`;
    return sql`true${later}${earlier}`;
  };
  const ofLead = inRange(sql`m.lead_id`);
  const stored = sql`link_id in (
    select a.link_id from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and ${inRange(sql`a.event_id`)}
    union select l.link_id from financial_events m
    join links l on l.ledger_id = ${ledger.ledgerId} and l.event_id = m.event_id
    where m.ledger_id = ${ledger.ledgerId} and ${ofLead})`;
  return ALLOCATIONS.compare(ledger, partsOf(ledger.ledgerId, ofLead), stored);
}

/** @returns seqs of the decisions whose links had a share of the events (UUIDs) */
export async function deleteAllocations(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    delete from link_allocations
    where ledger_id = ${tx.ledgerId} and event_id = any(${eventIds}::uuid[])
    returning decision_seq`);
  return rows.map(({ decision_seq }) => decision_seq);
}

/** Sums of the allocations of one decision in one currency on one day: decimal text. */
export interface LinkedMoneyRow {
  readonly seq: number;
  readonly currency: string;
  /** Start of the day, ms; a day has one rate. */
  readonly at: number;
  readonly links: number;
  readonly linked: string;
  readonly lost: string;
}

export async function selectLinkedMoney(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<LinkedMoneyRow[]> {
  return ledger.query<LinkedMoneyRow>(sql`
    select a.decision_seq as seq, a.currency,
      (extract(epoch from date_trunc('day', a."timestamp")) * 1000)::bigint as at,
      count(*) as links, sum(abs(a.amount))::text as linked,
      coalesce(-sum(a.amount) filter (where a.label = 'confirmed' and a.link_type = 'loss'), 0)::text
        as lost
    from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`a.decision_seq`, which)}
    group by 1, 2, 3`);
}

/** Decisions that have a share of the movement of an event. */
export async function selectShareholders(ledger: LedgerReader, eventId: string): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select distinct a.decision_seq as seq from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and a.event_id = ${leadOf(ledger.ledgerId, eventId)}
    order by 1`);
  return rows.map(({ seq }) => seq);
}

/** @returns decimal texts: the stored exposures of decisions, in the base currency */
export async function selectExposures(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<{ readonly seq: number; readonly exposure: string }[]> {
  return ledger.query(sql`
    select e.seq, e.exposure::text as exposure from liability_estimates e
    where e.ledger_id = ${ledger.ledgerId} and e.seq = any(${seqs}::bigint[])`);
}

/** The report that leads the movement of an event (UUID), as a subquery. */
const leadOf = (ledgerId: string, eventId: string): Sql => sql`(
  select own.lead_id from financial_events own
  where own.ledger_id = ${ledgerId} and own.event_id = ${eventId})`;

/** What the links of a movement count as confirmed or matched money. */
export interface CountedShare {
  /** Decimal text, in the currency of the event. */
  readonly amount: string;
  readonly currency: string;
  /** ms. */
  readonly at: number;
}

/** @returns null if no link of the movement of the event counts */
export async function selectCountedShare(
  ledger: LedgerReader,
  eventId: string,
): Promise<CountedShare | null> {
  const [row] = await ledger.query<CountedShare>(sql`
    select sum(a.amount)::text as amount, a.currency,
      (extract(epoch from a."timestamp") * 1000)::bigint as at
    from link_allocations a
    where a.ledger_id = ${ledger.ledgerId} and a.event_id = ${leadOf(ledger.ledgerId, eventId)}
      and a.label <> 'guessed'
    group by a.currency, a."timestamp"`);
  return row ?? null;
}
