import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type NightlyReconciliationTools, runReconciliation } from './nightly-run.js';
import { RECONCILIATION } from './queue.js';

export async function reconciliationJobs(
  jobs: JobQueue,
  tools: NightlyReconciliationTools,
): Promise<void> {
  await jobs.work(RECONCILIATION, (ledger) => runReconciliation(ledger, tools));
}
