import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/**
 * Allocates the counted amounts of events (UUIDs) to their links that are not deleted, by strength and to
 * at most 100 %, in 12 decimals. Where links take a whole event, its largest part is what the others
 * leave, so that the parts sum to the counted amount exactly.
 * @returns seqs of the decisions that received a share
 */
export async function insertAllocations(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    insert into link_allocations (ledger_id, link_id, event_id, decision_seq, agent_id, action_type,
      "timestamp", link_type, label, currency, share, amount)
    select ${ledgerId}, p.link_id, p.event_id, d.seq, d.agent_id, d.action_type, p."timestamp",
      p.link_type, p.label, p.currency, p.share,
      case when p.total >= 1 and p.place = 1
        then p.counted_amount - (sum(p.part) over (partition by p.event_id) - p.part)
        else p.part end
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
    join decisions d on d.ledger_id = ${ledgerId} and d.decision_id = p.decision_id
    returning decision_seq`);
  return rows.map(({ decision_seq }) => decision_seq);
}

/** @returns seqs of the decisions whose links had a share of the events (UUIDs) */
export async function deleteAllocations(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    delete from link_allocations
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
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
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<LinkedMoneyRow[]> {
  return tx.query<LinkedMoneyRow>(sql`
    select a.decision_seq as seq, a.currency,
      (extract(epoch from date_trunc('day', a."timestamp")) * 1000)::bigint as at,
      count(*) as links, sum(abs(a.amount))::text as linked,
      coalesce(-sum(a.amount) filter (where a.label = 'confirmed' and a.link_type = 'loss'), 0)::text
        as lost
    from link_allocations a
    where a.ledger_id = ${ledgerId} and ${isAmong(sql`a.decision_seq`, which)}
    group by 1, 2, 3`);
}
