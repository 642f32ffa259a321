import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { PageRows, Place, Slice } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { ReportedRow } from '../rules/transaction.js';

/** A report with what rules compare, and the report (UUID) that leads its movement. */
export interface ComparedRow extends Omit<ReportedRow, 'metadata'> {
  readonly event_type: string;
  /** Canonical JSON. */
  readonly metadata: string | null;
  readonly lead_id: string;
  readonly is_deleted: boolean;
}

export async function selectCompared(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ComparedRow[]> {
  if (eventIds.length === 0) return [];
  return ledger.query<ComparedRow>(sql`
    select event_id, lead_id, source, event_type, amount::text as amount, currency, external_id,
      description, metadata, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
      deleted_at is not null as is_deleted
    from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
    order by event_id`);
}

/** For each of some live reports (UUIDs), the events that it and its predecessors superseded. */
export async function selectSuperseded(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<{ readonly event_id: string; readonly former: string }[]> {
  return ledger.query(sql`
    with recursive former as (
      select e.event_id, e.supersedes as former from financial_events e
      where e.ledger_id = ${ledger.ledgerId} and e.event_id = any(${eventIds}::uuid[])
        and e.supersedes is not null
      union all
      select f.event_id, e.supersedes from former f
      join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = f.former
      where e.supersedes is not null
    )
    select event_id, former from former`);
}

/** A report whose movement is not certain. */
export interface QueuedRow {
  /** UUID. */
  readonly event_id: string;
  /** ms. */
  readonly timestamp: number;
}

/** Those in the queue, newest first. */
export async function selectQueued(
  ledger: LedgerReader,
  { after, limit }: Slice<Place>,
): Promise<PageRows<QueuedRow>> {
  const at = after ?? { at: LAST_MS, id: LAST_ID };
  const rows = await ledger.query<QueuedRow>(sql`
    select event_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp" from same_money
    where ledger_id = ${ledger.ledgerId}
      and ("timestamp", event_id) < (${instant(at.at)}, ${at.id}::uuid)
    order by same_money."timestamp" desc, same_money.event_id desc limit ${limit + 1}`);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

const MOST_COUNTED = 1000;

/** How many are in the queue, up to a limit, and their sums without sign, by currency. */
export async function selectQueuedSums(
  ledger: LedgerReader,
): Promise<{ readonly currency: string; readonly amount: string; readonly count: number }[]> {
  return ledger.query(sql`
    select e.currency, sum(abs(e.amount))::text as amount, count(*)::int as count
    from (
      select event_id from same_money where ledger_id = ${ledger.ledgerId}
      order by "timestamp" desc, event_id desc limit ${MOST_COUNTED}) as counted,
    lateral (
      select currency, amount from financial_events
      where ledger_id = ${ledger.ledgerId} and event_id = counted.event_id offset 0) as e
    group by e.currency order by e.currency`);
}

/** After everything that has a time: the year 9999. */
const LAST_MS = 253_402_300_799_999;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Puts some of the looked-at reports (UUIDs) into the queue, and takes the others out. */
export async function replaceQueued(
  tx: LedgerWriter,
  lookedAt: readonly string[],
  queued: readonly string[],
): Promise<void> {
  if (lookedAt.length === 0) return;
  await tx.query(sql`
    delete from same_money where ledger_id = ${tx.ledgerId}
      and event_id = any(${lookedAt}::uuid[]) and not event_id = any(${queued}::uuid[])`);
  if (queued.length === 0) return;
  await tx.query(sql`
    insert into same_money (ledger_id, event_id, "timestamp")
    select ledger_id, event_id, "timestamp" from financial_events
    where ledger_id = ${tx.ledgerId} and event_id = any(${queued}::uuid[])
    order by event_id on conflict do nothing`);
}
