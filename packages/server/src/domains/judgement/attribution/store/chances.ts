import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { isStanding } from './reviews.js';

/**
 * A table of the scored events of a ledger: `event_id`; as `chance` the probability that a recorded decision caused what
 * confirmed links leave of the event; and whether somebody found that no recorded decision did (`is_none`).
 */
export const chancesTable = (ledgerId: string): Sql => sql`(
  select s.event_id, least(1, greatest(0, 1 - s.none_share / nullif(s.left_share, 0))) as chance,
    answered.event_id is not null as is_none
  from event_scores s
  left join (
    select distinct r.event_id from event_reviews r
    where r.ledger_id = ${ledgerId} and r.verdict = 'none' and ${isStanding(ledgerId)}
  ) answered on answered.event_id = s.event_id
  where s.ledger_id = ${ledgerId})`;

/** Of how many events of each type somebody named the cause, or that there is none. */
export async function selectAnsweredTypes(ledger: LedgerReader): Promise<Map<string, number>> {
  const rows = await ledger.query<{ event_type: string; events: number }>(sql`
    select r.event_type, count(distinct r.event_id) as events from event_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.verdict in ('cause', 'none')
      and r.answered_by is not null and ${isStanding(ledger.ledgerId)}
    group by r.event_type`);
  return new Map(rows.map(({ event_type, events }) => [event_type, Number(events)]));
}
