import type { LinkType } from '@decision-ledger/contract/money-signs';
import sql, { empty, type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

/** An event and what decides the sign that it counts with: amounts as decimal text. */
export interface SignedRow {
  /** UUID. */
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  readonly amount: string;
  readonly counted_amount: string;
  /** Its live links that people created or confirmed. */
  readonly human: readonly { readonly link_type: LinkType; readonly reversal: boolean }[];
}

/** The events (UUIDs) among those given that are not deleted. */
export async function selectSigned(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SignedRow[]> {
  return ledger.query<SignedRow>(sql`
    select e.event_id, e.source, e.event_type, e.amount::text as amount,
      e.counted_amount::text as counted_amount,
      coalesce((
        select json_agg(json_build_object('link_type', l.link_type, 'reversal', l.reversal))
        from links l
        where l.ledger_id = ${ledger.ledgerId} and l.event_id = e.event_id and l.deleted_at is null
          and l.status in ('CONFIRMED', 'ML_INFERRED')), '[]') as human
    from financial_events e
    where e.ledger_id = ${ledger.ledgerId} and e.event_id = any(${eventIds}::uuid[])
      and e.deleted_at is null
    order by e.event_id`);
}

/** Deleted events (UUIDs) among those given that still count with something. */
export async function selectCountedDeleted(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<{ readonly event_id: string; readonly expected: string; readonly actual: string }[]> {
  return ledger.query(sql`
    select event_id, '0' as expected, counted_amount::text as actual from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and deleted_at is not null and counted_amount <> 0
    order by event_id`);
}

/** What events count with. */
export const COUNTED = new DerivedRows('financial_events', {
  key: ['event_id'],
  values: ['counted_amount'],
});

export async function updateCounted(
  tx: LedgerWriter,
  rows: readonly Pick<SignedRow, 'event_id' | 'counted_amount'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update financial_events e set counted_amount = n.counted_amount::numeric
    from unnest(
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[],
      ${textArray(rows, ({ counted_amount }) => counted_amount)}::text[]
    ) as n (event_id, counted_amount)
    where e.ledger_id = ${tx.ledgerId} and e.event_id = n.event_id`);
}

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
