import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { ChainLength, QueueDepth } from '../../../../platform/stored-metrics.js';

/** Exports whose file is kept, of all ledgers, counted up to a limit. An index holds them alone. */
export async function countKeptExports(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ kept: number }>(sql`
    select count(*)::integer as kept from (
      select from exports where status = 'complete' limit ${most}) as files`);
  return row?.kept ?? 0;
}

/**
 * How much waits and is worked on in each queue, over all ledgers. Each is counted up to a limit, so
 * that a backlog does not make the question dear.
 */
export async function selectQueueDepths(
  db: Queryable,
  queues: readonly string[],
  most: number,
): Promise<QueueDepth[]> {
  return db.query<QueueDepth>(sql`
    select q.name as queue, w.waiting, w.oldest as "oldestSeconds", a.active, d.dead
    from unnest(${queues}::text[]) as q (name)
    cross join lateral (
      select count(*)::integer as waiting,
        coalesce(greatest(extract(epoch from now() - min(start_after)), 0), 0)::float8 as oldest
      from (
        select start_after from pgboss.job
        where name = q.name and state in ('created', 'retry') order by start_after limit ${most}
      ) as waits
    ) as w
    cross join lateral (
      select count(*)::integer as active from (
        select from pgboss.job where name = q.name and state = 'active' limit ${most}
      ) as works
    ) as a
    cross join lateral (
      select count(*)::integer as dead from (
        select from pgboss.job
        where name = 'dead-letters' and state = 'created' and source_name = q.name limit ${most}
      ) as gone
    ) as d`);
}

/** Records of the chains of all ledgers together: no figure tells of a single one. */
export async function sumChainHeads(db: Queryable): Promise<ChainLength[]> {
  return db.query<ChainLength>(sql`
    select h.chain, sum(h.seq)::float8 as records from chain_heads h group by h.chain`);
}
