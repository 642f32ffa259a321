import sql from 'sql-template-tag';
import type { Queryable } from '../database.js';

/**
 * Puts back what a process had in hand when it died, for where no other process can hold a job. What
 * has no try left stays for the supervision, which gives it up; so does what waits once already and
 * must not wait twice.
 */
export async function giveBackActive(db: Queryable): Promise<void> {
  await db.query(sql`
    update pgboss.job j set state = 'retry', start_after = now(), heartbeat_on = null
    where j.state = 'active' and j.retry_count < j.retry_limit
      and not exists (select from pgboss.job w
        where w.name = j.name and w.state = 'retry' and w.policy = 'stately'
          and w.singleton_key is not distinct from j.singleton_key)`);
}
