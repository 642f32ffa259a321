import type { Database } from '../../platform/database.js';
import type { JobBoard } from '../../platform/jobs/board.js';
import { correlateNewEvents } from './correlate.js';
import { CORRELATION } from './queue.js';

export async function attributionJobs(jobs: JobBoard, { db }: { db: Database }): Promise<void> {
  await jobs.work(CORRELATION, (scope, _data, signal) => correlateNewEvents(db, scope, signal));
}
