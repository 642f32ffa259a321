import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { STRIPE_OBJECTS } from './queue.js';
import { type MovementTools, recordMovements } from './record-movements.js';

export interface StripeJobTools extends MovementTools {
  readonly onEvents: (scope: Scope) => void;
}

export async function stripeJobs(jobs: JobQueue, tools: StripeJobTools): Promise<void> {
  await jobs.work(STRIPE_OBJECTS, async (ledger, { object_id }) => {
    if ((await recordMovements(ledger, tools, object_id)) > 0) tools.onEvents(ledger.scope);
  });
}
