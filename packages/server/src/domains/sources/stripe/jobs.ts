import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { STRIPE_OBJECTS } from './queue.js';
import { recordMovements } from './record-movements.js';

export interface StripeJobTools {
  readonly hooks: RecordHooks;
  readonly onEvents: (scope: Scope) => void;
}

export async function stripeJobs(jobs: JobQueue, tools: StripeJobTools): Promise<void> {
  await jobs.work(STRIPE_OBJECTS, async (ledger, { object_id }) => {
    if ((await recordMovements(ledger, tools.hooks, object_id)) > 0) tools.onEvents(ledger.scope);
  });
}
