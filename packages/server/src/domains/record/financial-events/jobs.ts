import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordHooks } from '../hooks/index.js';
import { MONEY_SIGNS } from './queue.js';
import { recountEvents } from './recount.js';

export interface MoneySignTools {
  readonly hooks: RecordHooks;
  /** Called if suggestions need other link types. */
  readonly onEvents: (scope: Scope) => void;
}

export async function moneySignJobs(jobs: JobQueue, tools: MoneySignTools): Promise<void> {
  await jobs.work(MONEY_SIGNS, async (ledger, _data, signal) => {
    if (await recountEvents(ledger, tools.hooks, signal)) tools.onEvents(ledger.scope);
  });
}
