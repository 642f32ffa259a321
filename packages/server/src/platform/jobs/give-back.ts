import sql from 'sql-template-tag';
import type { Queryable } from '../database.js';

/**
 * Requeues the active jobs of a process that died, where no other process can have active jobs. Jobs
 * without tries left are left to the supervisor, as are jobs whose key already has a waiting job.
 */
export async function giveBackActive(db: Queryable): Promise<void> {
  await db.query(sql`
    update pgboss.job j set state = 'retry', start_after = now(), heartbeat_on = null
    where j.state = 'active' and j.retry_count < j.retry_limit
      and not exists (select from pgboss.job w
        where w.name = j.name and w.state = 'retry' and w.policy = 'stately'
          and w.singleton_key is not distinct from j.singleton_key)`);
}
