import sql, { empty } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** The events (UUIDs) after an id, in the order of ids, deleted or not. */
export async function selectEventIds(
  ledger: LedgerReader,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const later = after === null ? empty : sql` and event_id > ${after}::uuid`;
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events where ledger_id = ${ledger.ledgerId}${later}
    order by event_id limit ${limit}`);
  return rows.map(({ event_id }) => event_id);
}
