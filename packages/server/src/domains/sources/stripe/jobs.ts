import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { STRIPE_OBJECTS } from './queue.js';
import { recordMovements } from './record-movements.js';

export async function stripeJobs(
  jobs: JobQueue,
  { hooks }: { readonly hooks: RecordHooks },
): Promise<void> {
  await jobs.work(STRIPE_OBJECTS, async (ledger, { object_id }) => {
    await recordMovements(ledger, hooks, object_id);
  });
}
