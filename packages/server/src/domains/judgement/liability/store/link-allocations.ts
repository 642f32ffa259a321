import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/**
 * Allocates events (UUIDs) to their links that are not deleted, by strength and to at most 100 %. Revenue
 * and savings keep the sign of the event. Costs, refunds and losses count as negative, unless the event
 * is a reversal.
 * @returns seqs of the decisions that received a share
 */
export async function insertAllocations(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    insert into link_allocations (ledger_id, link_id, event_id, decision_seq, agent_id, action_type,
      "timestamp", link_type, is_confirmed, currency, share, amount)
    select ${ledgerId}, s.link_id, s.event_id, d.seq, d.agent_id, d.action_type, e."timestamp",
      s.link_type, s.is_confirmed, e.currency, s.share, s.share * case
        when s.link_type in ('revenue', 'saving') then e.amount
        when e.event_type ~* '(reversal|reversed|recovery|reinstated)' then abs(e.amount)
        else -abs(e.amount) end
    from (
      select l.link_id, l.event_id, l.decision_id, l.link_type,
        l.status <> 'ML_SUGGESTED' as is_confirmed,
        l.correlation_strength / greatest(1, sum(l.correlation_strength)
          over (partition by l.event_id)) as share
      from links l where l.ledger_id = ${ledgerId} and l.deleted_at is null
        and l.event_id = any(${eventIds}::uuid[])
    ) s
    join financial_events e on e.ledger_id = ${ledgerId} and e.event_id = s.event_id
    join decisions d on d.ledger_id = ${ledgerId} and d.decision_id = s.decision_id
    where e.deleted_at is null
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
      coalesce(-sum(a.amount) filter (where a.is_confirmed and a.link_type = 'loss'), 0)::text
        as lost
    from link_allocations a
    where a.ledger_id = ${ledgerId} and ${isAmong(sql`a.decision_seq`, which)}
    group by 1, 2, 3`);
}
