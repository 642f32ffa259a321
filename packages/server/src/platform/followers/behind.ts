import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Installation } from '../installation.js';
import { instant } from '../instant.js';
import { type Scope, type StoredScope, toScope } from '../scope.js';
import type { Follower } from './follower.js';

/** A ledger with records that a follower has not taken. */
export interface Behind {
  readonly scope: Scope;
  readonly follower: string;
}

/**
 * What is due for all followers, in one statement.
 * @param now ms
 * @param ledgerIds UUIDs of the ledgers to look at; null for all
 */
export async function selectBehind(
  installation: Installation,
  followers: readonly Follower[],
  now: number,
  ledgerIds: readonly string[] | null,
): Promise<Behind[]> {
  const among = ledgerIds === null ? empty : sql`and l.ledger_id = any(${ledgerIds}::uuid[])`;
  const rows = await installation.queryAcross<StoredScope & { readonly follower: string }>(sql`
    select distinct l.org_id, l.ledger_id, l.mode, f.name as follower
    from ${followedTable(followers)}
    join chain_heads h on h.chain = f.log
    join ledgers l on l.ledger_id = h.ledger_id
    left join follower_positions p on p.ledger_id = h.ledger_id and p.follower = f.name
      and p.log = f.log
    where h.seq > coalesce(p.seq, 0) ${among}
      and not exists (select from follower_positions w where w.ledger_id = l.ledger_id
        and w.follower = f.name and w.retry_at > ${instant(now)})
      ${join(conditions(followers, now), ' ', '', ' ')}
    order by l.ledger_id, f.name`);
  return rows.map((row) => ({ scope: toScope(row), follower: row.follower }));
}

/** Each follower with each log of it, as the table `f`. */
export function followedTable(followers: readonly Follower[]): Sql {
  const followed = followers.flatMap(({ name, follows }) => follows.map((log) => ({ name, log })));
  return sql`unnest(${followed.map(({ name }) => name)}::text[],
    ${followed.map(({ log }) => log)}::text[]) as f (name, log)`;
}

/** That each follower is due, as conditions on `f` and `l`. */
export function conditions(followers: readonly Follower[], now: number): Sql[] {
  return [
    empty,
    ...followers.flatMap(({ name, isDue }) =>
      isDue === undefined ? [] : [sql`and (f.name <> ${name} or (${isDue(now)}))`],
    ),
  ];
}
