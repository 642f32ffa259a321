import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { RecordHooks } from '../hooks/index.js';
import { MONEY_SIGNS } from './queue.js';
import { recountEvents } from './recount.js';

export async function moneySignJobs(
  jobs: JobQueue,
  { hooks }: { readonly hooks: RecordHooks },
): Promise<void> {
  await jobs.work(MONEY_SIGNS, (ledger, _data, signal) => recountEvents(ledger, hooks, signal));
}
