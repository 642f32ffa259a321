import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { STRIPE_OBJECTS } from './queue.js';
import { type MovementTools, recordMovements } from './record-movements.js';

export async function stripeJobs(jobs: JobQueue, tools: MovementTools): Promise<void> {
  await jobs.work(STRIPE_OBJECTS, async (ledger, { object_id }) => {
    await recordMovements(ledger, tools, object_id);
  });
}
