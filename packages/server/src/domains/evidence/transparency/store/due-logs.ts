import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import sql, { empty } from 'sql-template-tag';
import type { Installation } from '../../../../platform/installation.js';
import { instant } from '../../../../platform/instant.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/scope.js';

/** Whether a ledger is due only after its interval, or only if its logs were started. */
export type Due = 'after the interval' | 'started';

/**
 * Ledgers with records that no checkpoint covers, unless a log of theirs has a fault.
 * @param now ms
 */
export async function selectUnsignedLedgers(
  installation: Installation,
  due: Due,
  now: number,
): Promise<Scope[]> {
  // A signed receipt starts the logs before their first checkpoint.
  const isStarted =
    due === 'started'
      ? sql`and exists (select from tlogs t where t.ledger_id = l.ledger_id)`
      : empty;
  const isOver =
    due === 'started'
      ? empty
      : sql`and greatest(cd.created_at, ca.created_at, l.created_at) <= ${instant(now)}
          - make_interval(secs => coalesce(
            (s.document::json -> 'transparency' ->> 'interval_seconds')::integer,
            ${DEFAULT_SETTINGS.transparency.interval_seconds}))`;
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join chain_heads d on d.ledger_id = l.ledger_id and d.chain = 'decisions'
    join chain_heads a on a.ledger_id = l.ledger_id and a.chain = 'activity'
    left join settings s on s.ledger_id = l.ledger_id
    left join lateral (select c.size, c.created_at from checkpoints c
      where c.ledger_id = l.ledger_id and c.chain = 'decisions'
      order by c.generation desc, c.size desc limit 1) cd on true
    left join lateral (select c.size, c.created_at from checkpoints c
      where c.ledger_id = l.ledger_id and c.chain = 'activity'
      order by c.generation desc, c.size desc limit 1) ca on true
    where (d.seq > coalesce(cd.size, 0) or a.seq > coalesce(ca.size, 0)) ${isStarted} ${isOver}
      and not exists (select from tlogs t where t.ledger_id = l.ledger_id
        and t.closed_at is null and t.fault is not null)
    order by l.ledger_id`);
  return rows.map(toScope);
}

/**
 * Ledgers with a log that was not rebuilt since a time.
 * @param since ms
 */
export async function selectUnrebuiltLedgers(
  installation: Installation,
  since: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    where exists (select from tlogs t where t.ledger_id = l.ledger_id and t.closed_at is null
      and t.rebuilt_at < ${instant(since)})
    order by l.ledger_id`);
  return rows.map(toScope);
}
