import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { MONEY_SIGNS } from './queue.js';
import { type RecountTools, recountEvents } from './recount.js';

export interface MoneySignTools extends RecountTools {
  /** Called if suggestions need other link types. */
  readonly onEvents: (scope: Scope) => void;
}

export async function moneySignJobs(jobs: JobQueue, tools: MoneySignTools): Promise<void> {
  await jobs.work(MONEY_SIGNS, async (ledger, _data, signal) => {
    if (await recountEvents(ledger, tools, signal)) tools.onEvents(ledger.scope);
  });
}
