import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { MONEY_SIGNS } from './queue.js';
import { type RecountTools, recountEvents } from './recount.js';

export async function moneySignJobs(jobs: JobQueue, tools: RecountTools): Promise<void> {
  await jobs.work(MONEY_SIGNS, (ledger, _data, signal) => recountEvents(ledger, tools, signal));
}
