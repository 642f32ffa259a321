import { notFound } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { DeadJob, RetriedJob } from '@decision-ledger/contract/operations';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { everyRow, mapPage, type PageRows } from '../../../platform/page.js';
import {
  type DeadJobPagePosition,
  type DeadJobRow,
  selectDeadJob,
  selectDeadJobs,
} from './store/dead-jobs.js';

const checkData = checker(JsonObject, 'data');

export interface ListedJob {
  readonly job: DeadJob;
  readonly position: DeadJobPagePosition;
}

/** Dead jobs of a ledger, newest first. */
export async function listDeadJobs(
  ledger: LedgerReader,
  after: DeadJobPagePosition | null,
  limit: number,
): Promise<PageRows<ListedJob>> {
  const page = await selectDeadJobs(ledger, after, limit);
  return mapPage(page, (row) => ({
    job: describe(row),
    position: { failedAt: row.failed_at, id: row.id },
  }));
}

/** All dead jobs of a ledger, newest first. */
export async function everyDeadJob(ledger: LedgerReader): Promise<DeadJob[]> {
  const listed = await everyRow<ListedJob>((last) =>
    listDeadJobs(ledger, last?.position ?? null, LIMITS.pageMax),
  );
  return listed.map(({ job }) => job);
}

/**
 * Retries a dead job from the start.
 * @throws LedgerError `not_found`
 */
export async function retryDeadJob(
  ledger: Ledger,
  jobs: JobQueue,
  id: string,
): Promise<RetriedJob> {
  const uuid = idToUuid('job', id);
  const queue = await ledger.write(async (tx) => {
    const found = uuid === null ? null : await selectDeadJob(tx, uuid);
    if (uuid === null || found === null) throw notFound('dead job');
    await jobs.redrive(tx.connection, uuid);
    return found;
  });
  return { job_id: id, queue };
}

function describe(row: DeadJobRow): DeadJob {
  const { org_id, ledger_id, mode, ...data } = checkData(parseJson(row.data));
  return {
    job_id: uuidToId('job', row.id),
    queue: row.queue,
    data,
    error: row.error ?? 'the process that ran it ended, or it took too long',
    tries: row.tries,
    created_at: formatTimestamp(row.created_at),
    failed_at: formatTimestamp(row.failed_at),
  };
}
