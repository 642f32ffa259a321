import sql from 'sql-template-tag';
import { DEAD_LETTERS } from '../../../../platform/jobs/stored-jobs.js';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** Open jobs of a ledger in a queue. */
export interface PendingRow {
  readonly queue: string;
  readonly waiting: number;
  /** How long the first one has waited. */
  readonly seconds: number;
  readonly failed: number;
}

/** Jobs beyond these are not counted. */
const MAX_COUNTED = 100_000;

/** The open and the dead jobs of a ledger in each of these queues that has any, in their order. */
export async function selectPending(
  ledger: LedgerReader,
  queues: readonly string[],
): Promise<PendingRow[]> {
  return ledger.query<PendingRow>(sql`
    select q.name as queue, waiting, seconds, failed
    from unnest(${queues}::text[]) with ordinality as q (name, place),
      lateral (
        select count(*)::integer as waiting,
          coalesce(greatest(0, extract(epoch from now() - min(created_on))), 0)::float8 as seconds
        from (select created_on from job
          where name = q.name and state in ('created', 'retry', 'active')
            and data ->> 'ledger_id' = ${ledger.ledgerId} limit ${MAX_COUNTED}) as open_jobs
      ) as pending,
      lateral (
        select count(*)::integer as failed
        from (select from job
          where name = ${DEAD_LETTERS} and state = 'created' and source_name = q.name
            and data ->> 'ledger_id' = ${ledger.ledgerId} limit ${MAX_COUNTED}) as dead_jobs
      ) as dead
    where waiting + failed > 0 order by q.place`);
}
