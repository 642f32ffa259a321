import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import type { ExperimentRequest } from '../rules/request.js';
import type { Window } from './history.js';

/**
 * Whether at least so many events of a window have no link that counts, nor an answer that no recorded decision caused
 * them. Only events count whose type is that of an event which a matured decision of the experiment is linked with.
 * @param answered events: a table with `event_id` and `is_none`
 */
export async function areUnlinked(
  ledger: LedgerReader,
  experimentId: string,
  { labels, maturedUntil }: ExperimentRequest,
  { from, until }: Window,
  { count, answered }: { readonly count: number; readonly answered: Sql },
): Promise<boolean> {
  const [row] = await ledger.query<{ found: number }>(sql`
    with types as (
      select distinct f.event_type
      from experiment_assignments e
      cross join lateral (
        select * from link_allocations l where l.ledger_id = ${ledger.ledgerId} and l.decision_seq = e.seq
          and l.label = any(${labels}::text[]) offset 0
      ) a
      cross join lateral (
        select * from financial_events o where o.ledger_id = ${ledger.ledgerId} and o.event_id = a.event_id
        offset 0
      ) f
      where e.ledger_id = ${ledger.ledgerId} and e.experiment_id = ${experimentId} and e.is_valid
        and e."timestamp" <= ${instant(maturedUntil)}
    )
    select count(*) as found from (
      select from financial_events f
      left join ${answered} p on p.event_id = f.event_id
      where f.ledger_id = ${ledger.ledgerId} and f.deleted_at is null and f.counted_amount <> 0
        and f."timestamp" >= ${instant(from)} and f."timestamp" < ${instant(until)}
        and f.event_type in (select event_type from types) and p.is_none is not true
        and not exists (
          select from link_allocations a where a.ledger_id = ${ledger.ledgerId}
            and a.event_id = f.event_id and a.label = any(${labels}::text[]))
      limit ${count}
    ) unlinked`);
  return (row?.found ?? 0) >= count;
}
