import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Shares the events (UUIDs) out among their links that stand. An event is shared by strength, and
 * never more than whole. Revenue and savings count as the event has them; costs, refunds and losses
 * against the organisation, unless the event is a reversal.
 * @returns the places in the chain of the decisions that got a share
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
