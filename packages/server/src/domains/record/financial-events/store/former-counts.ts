import sql, { join, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/** What links take of an event `e`, by label and type, as JSON text. */
const takenOf = (ledgerId: string): Sql => sql`coalesce((
  select json_agg(json_build_object('label', t.label, 'link_type', t.link_type, 'amount', t.amount)
    order by t.label, t.link_type)
  from (
    select a.label, a.link_type, sum(a.amount)::text as amount from link_allocations a
    where a.ledger_id = ${ledgerId} and a.event_id = e.event_id group by a.label, a.link_type
  ) t)::text, '[]')`;

/**
 * Keeps what events (UUIDs) of months that are over count with now, before that changes, beside the last record of the activity
 * chain, which is one of the change. OFFSET lets the planner only look up each event. The caller holds the lock on the activity of the ledger, and has recorded the change.
 */
export async function keepCounts(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  const { ledgerId } = tx;
  await tx.query(sql`
    insert into former_counts (ledger_id, "timestamp", event_id, activity_seq, counted_amount, links)
    select s.ledger_id, e."timestamp", e.event_id, h.seq, e.counted_amount, ${takenOf(ledgerId)}
    from closing_states s
    join chain_heads h on h.ledger_id = ${ledgerId} and h.chain = 'activity'
    cross join unnest(${eventIds}::uuid[]) as changed (event_id)
    cross join lateral (
      select * from financial_events
      where ledger_id = ${ledgerId} and event_id = changed.event_id offset 0) as e
    where s.ledger_id = ${ledgerId} and e.deleted_at is null
      and e."timestamp" < (s.open_month || '-01T00:00:00Z')::timestamptz
    on conflict do nothing`);
}

/** An event whose counts may have changed, in the order of time. */
export interface ChangedEvent {
  /** UUID. */
  readonly event_id: string;
  /** ms. */
  readonly at: number;
}

interface Span {
  /** ms; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The last record of the activity chain that is known. */
  readonly since: number;
}

/** The events of a range of time that were recorded, or may count otherwise, since a record of the activity chain. */
export async function selectChangedEvents(
  ledger: LedgerReader,
  { start, end, since }: Span,
  after: ChangedEvent | null,
  limit: number,
): Promise<ChangedEvent[]> {
  const { ledgerId } = ledger;
  const later =
    after === null
      ? sql`true`
      : sql`("timestamp", event_id) > (${instant(after.at)}, ${after.event_id}::uuid)`;
  const inRange = join(
    [
      sql`ledger_id = ${ledgerId}`,
      sql`"timestamp" >= ${instant(start)}`,
      sql`"timestamp" < ${instant(end)}`,
      later,
    ],
    ' and ',
  );
  return ledger.query<ChangedEvent>(sql`
    select event_id, (extract(epoch from "timestamp") * 1000)::bigint as at from (
      (select distinct "timestamp", event_id from former_counts
        where ${inRange} and activity_seq > ${since}
        order by "timestamp", event_id limit ${limit})
      union
      (select "timestamp", event_id from financial_events
        where ${inRange} and created_at >= (
          select r.created_at from activity r where r.ledger_id = ${ledgerId} and r.seq = ${since})
        order by "timestamp", event_id limit ${limit})
    ) as changed
    order by changed."timestamp", event_id limit ${limit}`);
}

/** What an event counted with until a record of the activity chain. */
export interface FormerCounts {
  /** UUID. */
  readonly event_id: string;
  readonly activity_seq: number;
  /** Decimal text, in the currency of the event. */
  readonly counted_amount: string;
  /** JSON. */
  readonly links: string;
}

/** What some events counted with before each change since a record of the activity chain, oldest first. */
export async function selectFormerCounts(
  ledger: LedgerReader,
  events: readonly ChangedEvent[],
  since: number,
): Promise<FormerCounts[]> {
  return ledger.query<FormerCounts>(sql`
    select f.event_id, f.activity_seq, trim_scale(f.counted_amount)::text as counted_amount, f.links
    from unnest(${events.map(({ event_id }) => event_id)}::uuid[], ${events.map(({ at }) => at)}::bigint[])
      as changed (event_id, at),
    lateral (
      select * from former_counts c
      where c.ledger_id = ${ledger.ledgerId} and c.event_id = changed.event_id
        and c."timestamp" = to_timestamp(changed.at / 1000.0) and c.activity_seq > ${since}
      offset 0) as f
    order by f.event_id, f.activity_seq`);
}

/** Forgets what events of a range of time counted with until a record of the activity chain: nothing has to be explained by it. */
export async function deleteFormerCounts(
  tx: LedgerWriter,
  { start, end }: Pick<Span, 'start' | 'end'>,
  until: number,
): Promise<void> {
  await tx.query(sql`
    delete from former_counts
    where ledger_id = ${tx.ledgerId} and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}
      and activity_seq <= ${until}`);
}
