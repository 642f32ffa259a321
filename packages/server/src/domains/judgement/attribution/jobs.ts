import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { correlateNewEvents } from './correlate.js';
import { CORRELATION } from './queue.js';

export async function attributionJobs(
  jobs: JobQueue,
  { hooks }: { readonly hooks: RecordHooks },
): Promise<void> {
  await jobs.work(CORRELATION, (ledger, _data, signal) =>
    correlateNewEvents(ledger, hooks, signal),
  );
}
