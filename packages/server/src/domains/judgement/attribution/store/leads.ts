import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** The report that leads the movement of an event (UUID), as a subquery: it alone is scored. */
export function leadOf(ledgerId: string, eventId: string): Sql {
  return sql`(select own.lead_id from financial_events own
    where own.ledger_id = ${ledgerId} and own.event_id = ${eventId})`;
}

/** The reports that lead the movements of events (UUIDs), as an array. */
export function leadsOf(ledgerId: string, eventIds: readonly string[]): Sql {
  return sql`array(select own.lead_id from financial_events own
    where own.ledger_id = ${ledgerId} and own.event_id = any(${eventIds}::uuid[]))`;
}

/** The events (UUIDs) among those given that do not lead their movements. */
export async function selectWitnesses(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and lead_id <> event_id`);
  return rows.map(({ event_id }) => event_id);
}
