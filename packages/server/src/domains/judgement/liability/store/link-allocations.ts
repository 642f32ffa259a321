import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  noRows,
} from '../../../../platform/projections/differences.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/**
 * The parts of the counted amounts of events (UUIDs) that their links that are not deleted take: by
 * strength and at most 100 %, in 12 decimals. Where links take a whole event, its largest part is what the
 * others leave, so that the parts sum to the counted amount exactly.
 */
const partsOf = (ledgerId: string, eventIds: readonly string[]) => sql`
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
      select l.link_id, l.event_id, l.decision_id, l.link_type,
        l.correlation_strength as strength,
        case when l.status = 'ML_SUGGESTED' then coalesce(l.label, 'guessed')
          else 'confirmed' end as label,
        sum(l.correlation_strength) over (partition by l.event_id) as total,
        row_number() over (partition by l.event_id
          order by l.correlation_strength desc, l.link_id) as place
      from links l where l.ledger_id = ${ledgerId} and l.deleted_at is null
        and l.event_id = any(${eventIds}::uuid[])
    ) s
    join financial_events e on e.ledger_id = ${ledgerId} and e.event_id = s.event_id
    where e.deleted_at is null
  ) p
  join decisions d on d.ledger_id = ${ledgerId} and d.decision_id = p.decision_id`;

const PARTS = raw(`link_id, event_id, decision_seq, agent_id, action_type, "timestamp", link_type,
  label, currency, share, amount`);

/**
 * Stores the parts of events (UUIDs).
 * @returns seqs of the decisions that received a share
 */
export async function insertAllocations(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    insert into link_allocations (ledger_id, ${PARTS})
    select ${tx.ledgerId}, ${PARTS} from (${partsOf(tx.ledgerId, eventIds)}) a
    returning decision_seq`);
  return rows.map(({ decision_seq }) => decision_seq);
}

const ALLOCATIONS: ComparedColumns = {
  table: 'link_allocations',
  key: ['link_id'],
  values: [
    ...['event_id', 'decision_seq', 'agent_id', 'action_type', 'timestamp', 'link_type', 'label'],
    ...['currency', 'share', 'amount'],
  ],
};

/** Computes the parts of events (UUIDs) again and compares them with those of the events and of their links. */
export async function compareAllocations(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<Comparison> {
  const stored = sql`(event_id = any(${eventIds}::uuid[]) or link_id in (select l.link_id from links l
    where l.ledger_id = ${ledger.ledgerId} and l.event_id = any(${eventIds}::uuid[])))`;
  return compareRows(ledger, ALLOCATIONS, partsOf(ledger.ledgerId, eventIds), stored);
}

/** Allocations of links that do not exist. */
export async function compareStrayAllocations(ledger: LedgerReader): Promise<Comparison> {
  const stored = sql`not exists (select from links l
    where l.ledger_id = ${ledger.ledgerId} and l.link_id = link_allocations.link_id)`;
  return compareRows(ledger, ALLOCATIONS, noRows('link_allocations'), stored);
}

/** @param keys JSON: allocations by their link */
export async function deleteAllocationsOf(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from link_allocations a
    using json_populate_recordset(null::link_allocations, ${keys}::json) k
    where a.ledger_id = ${tx.ledgerId} and a.link_id = k.link_id`);
}

/** @param rows JSON */
export async function insertAllocationRows(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into link_allocations (ledger_id, ${PARTS}) select ${tx.ledgerId}, ${PARTS}
    from json_populate_recordset(null::link_allocations, ${rows}::json)`);
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
