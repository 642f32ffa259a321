import sql from 'sql-template-tag';
import { uuidToId } from '#server/platform/ids';
import type { TestService } from './service.js';
import type { Desk } from './suggestions-desk.js';

/** Scored events of a month, as the store holds them. */
export interface ScoredMonth {
  /** `2026-04`. */
  readonly month: string;
  readonly events: number;
  readonly shares_identifier: boolean;
  readonly lag_hours: number | null;
  readonly best_share: number;
}

/** Copies the newest scored event of a ledger into months. @returns the ids of the new events */
export async function copyScored(
  { service }: TestService,
  { scope }: Desk,
  { month, events, ...score }: ScoredMonth,
): Promise<string[]> {
  const rows = await service.db.query<{ event_id: string }>(sql`
    with one as (
      select e as event, s as score from financial_events e
      join event_scores s on s.ledger_id = e.ledger_id and s.event_id = e.event_id
      where e.ledger_id = ${scope.ledgerId} order by e.event_id desc limit 1
    ), copies as (
      select one.*, gen_random_uuid() as id from one, generate_series(1, ${events}::integer)
    ), made as (
      insert into financial_events
      select (jsonb_populate_record(c.event, jsonb_build_object('event_id', c.id, 'lead_id', c.id))).*
      from copies c returning event_id
    )
    insert into event_scores
    select (jsonb_populate_record(c.score, jsonb_build_object('event_id', c.id,
      'audit_month', ${`${month}-01`}::text, 'audit_probability', null, 'place', null)
      || ${JSON.stringify(score)}::jsonb)).*
    from copies c returning event_id`);
  return rows.map(({ event_id }) => uuidToId('evt', event_id));
}
