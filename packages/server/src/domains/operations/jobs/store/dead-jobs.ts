import sql, { empty, raw } from 'sql-template-tag';
import { DEAD_LETTERS } from '../../../../platform/jobs/stored-jobs.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';

/**
 * @param jobId UUID
 * @returns the queue in which the job failed
 */
export async function selectDeadJob(tx: LedgerWriter, jobId: string): Promise<string | null> {
  const [row] = await tx.query<{ queue: string }>(sql`
    select source_name as queue from job
    where name = ${DEAD_LETTERS} and state = 'created' and id = ${jobId}
      and data ->> 'ledger_id' = ${tx.ledgerId} for update`);
  return row?.queue ?? null;
}

/** A dead job; times in ms. */
export interface DeadJobRow {
  readonly id: string;
  readonly queue: string;
  /** JSON text. */
  readonly data: string;
  readonly error: string | null;
  readonly tries: number;
  readonly created_at: number;
  readonly failed_at: number;
}

const COLUMNS =
  raw(`id, source_name as queue, data::text as data, source_output ->> 'message' as error,
  coalesce(source_retry_count, 0) + 1 as tries,
  (extract(epoch from source_created_on) * 1000)::bigint as created_at,
  (extract(epoch from created_on) * 1000)::bigint as failed_at`);

/** Position of the last row of the previous page. */
export interface DeadJobPagePosition {
  /** ms. */
  readonly failedAt: number;
  /** UUID. */
  readonly id: string;
}

/** Newest first, without those that were retried. */
export async function selectDeadJobs(
  ledger: LedgerReader,
  after: DeadJobPagePosition | null,
  limit: number,
): Promise<PageRows<DeadJobRow>> {
  const failedAt = sql`date_trunc('milliseconds', created_on)`;
  const afterPosition =
    after === null
      ? empty
      : sql` and (${failedAt}, id) < (to_timestamp(${after.failedAt}::bigint / 1000.0), ${after.id}::uuid)`;
  const rows = sql`
    select * from job
    where name = ${DEAD_LETTERS} and state = 'created'
      and data ->> 'ledger_id' = ${ledger.ledgerId}${afterPosition}
    order by ${failedAt} desc, id desc`;
  return selectPageRows<DeadJobRow>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('job'),
  columns: COLUMNS,
  order: raw("date_trunc('milliseconds', created_on) desc, id desc"),
  bytes: raw("octet_length(data::text) + coalesce(octet_length(source_output ->> 'message'), 0)"),
};
