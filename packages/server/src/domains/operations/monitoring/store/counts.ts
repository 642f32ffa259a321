import sql from 'sql-template-tag';
import type { Installation, Queryable } from '../../../../platform/statement.js';
import type {
  ChainLength,
  QueueDepth,
  ReconciliationCounts,
} from '../../../../platform/stored-metrics.js';

/** Exports of all ledgers whose file is stored, counted up to `max`. Uses a partial index. */
export async function countKeptExports(installation: Installation, max: number): Promise<number> {
  const [row] = await installation.queryAcross<{ kept: number }>(sql`
    select count(*)::integer as kept from (
      select ledger_id from exports where status = 'complete' limit ${max}) as files`);
  return row?.kept ?? 0;
}

/**
 * Waiting, active and dead jobs of each queue, over all ledgers. Each count stops at `max`, so that a
 * backlog does not make the query expensive.
 */
export async function selectQueueDepths(
  db: Queryable,
  queues: readonly string[],
  max: number,
): Promise<QueueDepth[]> {
  return db.query<QueueDepth>(sql`
    select q.name as queue, w.waiting, w.oldest as "oldestSeconds", a.active, d.dead
    from unnest(${queues}::text[]) as q (name)
    cross join lateral (
      select count(*)::integer as waiting,
        coalesce(greatest(extract(epoch from now() - min(start_after)), 0), 0)::float8 as oldest
      from (
        select start_after from job
        where name = q.name and state in ('created', 'retry') order by start_after limit ${max}
      ) as waits
    ) as w
    cross join lateral (
      select count(*)::integer as active from (
        select from job where name = q.name and state = 'active' limit ${max}
      ) as works
    ) as a
    cross join lateral (
      select count(*)::integer as dead from (
        select from job
        where name = 'dead-letters' and state = 'created' and source_name = q.name limit ${max}
      ) as gone
    ) as d`);
}

/** Records in the chains of all ledgers together, so that no figure reveals a single ledger. */
export async function sumChainHeads(installation: Installation): Promise<ChainLength[]> {
  return installation.queryAcross<ChainLength>(sql`
    select h.chain, sum(h.seq)::float8 as records from chain_heads h group by h.chain`);
}

/** What the last nightly comparisons found, over all ledgers. */
export async function sumReconciliations(
  installation: Installation,
): Promise<ReconciliationCounts> {
  const [row] = await installation.queryAcross<ReconciliationCounts>(sql`
    select coalesce(sum(findings), 0)::float8 as findings,
      (count(*) filter (where findings is null or findings > 0))::float8 as ledgers
    from reconciliations`);
  return row ?? { findings: 0, ledgers: 0 };
}
