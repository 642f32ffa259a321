import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import sql, { type Sql } from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import { followerPosition } from '../../../../platform/followers/positions.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, instant } from '../../../../platform/statement.js';

/** The follower that signs checkpoints. */
export const CHECKPOINTS = 'checkpoints';

/**
 * Whether the interval of a ledger `l` is over.
 * @param now ms
 */
export function isRoundDue(now: number): Sql {
  // A round ends with the checkpoint of the activity: without it, the next one is due at once.
  return sql`
    coalesce((select c.created_at from checkpoints c
      where c.ledger_id = l.ledger_id and c.chain = 'activity'
      order by c.generation desc, c.size desc limit 1), l.created_at) <= ${instant(now)}
      - make_interval(secs => coalesce(
        (select (s.document::json -> 'transparency' ->> 'interval_seconds')::integer
          from settings s where s.ledger_id = l.ledger_id),
        ${DEFAULT_SETTINGS.transparency.interval_seconds}))`;
}

/** Whether a log of a ledger `l` has a fault. */
export const isAtFault: Sql = sql`
  exists (select from tlogs t where t.ledger_id = l.ledger_id
    and t.closed_at is null and t.fault is not null)`;

/**
 * Ledgers with started logs, in order, and records that no checkpoint covers. A signed receipt starts the logs before
 * their first checkpoint.
 */
export async function selectUnsignedLedgers(installation: Installation): Promise<Scope[]> {
  const signed = (chain: ChainName) =>
    sql`h.chain = ${chain} and h.seq > ${followerPosition(sql`l.ledger_id`, CHECKPOINTS, chain)}`;
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    where exists (select from chain_heads h where h.ledger_id = l.ledger_id
      and (${signed('decisions')} or ${signed('activity')}))
      and exists (select from tlogs t where t.ledger_id = l.ledger_id)
      and not ${isAtFault}
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
