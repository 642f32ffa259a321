import sql, { empty, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

/** The events (UUIDs) of a range, in the order of ids, deleted or not. */
export async function selectEventIds(
  ledger: LedgerReader,
  range: KeyRange<string>,
): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId}${within(range)} order by event_id`);
  return rows.map(({ event_id }) => event_id);
}

/** The last one of some events after an id; null if there are fewer. */
export async function selectEndOfEvents(
  ledger: LedgerReader,
  after: string | null,
  count: number,
): Promise<string | null> {
  const [row] = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId}${within({ after, until: null })}
    order by event_id offset ${count - 1} limit 1`);
  return row?.event_id ?? null;
}

function within({ after, until }: KeyRange<string>): Sql {
  const later = after === null ? empty : sql` and event_id > ${after}::uuid`;
  const earlier = until === null ? empty : sql` and event_id <= ${until}::uuid`;
  return sql`${later}${earlier}`;
}
