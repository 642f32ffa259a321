import sql, { empty, join, type Sql } from 'sql-template-tag';
import { type Scope, type StoredScope, toScope } from '../principal.js';
import { type Installation, instant, LEDGERS } from '../statement.js';
import { type Follower, followsLogs, type LogFollower } from './follower.js';

/** A ledger with records that a follower has not taken, or with subjects that are due for it. */
export interface Behind {
  readonly scope: Scope;
  readonly follower: string;
}

/**
 * What is due for all followers, in one statement: of each ledger in the order of the followers, because one may wait for
 * what another one does.
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
  const names = followers.map(({ name }) => name);
  const due = followers.filter((follower) => !followsLogs(follower)).map(({ name }) => name);
  const rows = await installation.queryAcross<StoredScope & { readonly follower: string }>(sql`
    select * from (
      select distinct org_id, ledger_id, mode, follower from (
        -- As a column: of a condition, a cluster does not let the nodes look up the first row of several.
        select l.org_id, l.ledger_id, l.mode, f.name as follower,
          ${timely(followers, sql`l.ledger_id`, now)} as is_timely
        from ${followedTable(followers)}
        join (select h.ledger_id, h.chain, h.seq, g.org_id, g.mode, g.created_at
          from chain_heads h join ledgers g on g.ledger_id = h.ledger_id) as l on l.chain = f.log
        left join follower_positions p on p.ledger_id = l.ledger_id and p.follower = f.name
          and p.log = f.log
        where l.seq > coalesce(p.seq, 0) ${among}
          and not exists (select from follower_positions w where w.ledger_id = l.ledger_id
            and w.follower = f.name and w.retry_at > ${instant(now)})
          and ${notStopped(followers)}
      ) as following where is_timely
      union all
      select l.org_id, l.ledger_id, l.mode, f.name
      from unnest(${due}::text[]) as f (name), ${LEDGERS} as l
      -- The first one, so that it is found in the index by due time, past nothing that is set aside.
      where (select min(w.due_at) from due_work w where w.ledger_id = l.ledger_id and w.follower = f.name
        and w.due_at <= ${instant(now)}) is not null ${among}
      ${join(foundByTime(followers, now, among), ' ', '', ' ')}
    ) as behind
    order by ledger_id, array_position(${names}::text[], follower)`);
  return rows.map((row) => ({ scope: toScope(row), follower: row.follower }));
}

/** The ledgers of which time made a subject due that has no row yet. */
function foundByTime(followers: readonly Follower[], now: number, among: Sql): Sql[] {
  return [
    empty,
    ...followers.flatMap((follower) => {
      if (followsLogs(follower) || follower.found === undefined) return [];
      const { name, found } = follower;
      return sql`union all
        select org_id, ledger_id, mode, ${name} from (
          select l.org_id, l.ledger_id, l.mode,
            exists (select from (${found(sql`l.ledger_id`, now)}) as s (subject)
              where not exists (select from due_work w where w.ledger_id = l.ledger_id
                and w.follower = ${name} and w.subject = s.subject)) as is_found
          from ${LEDGERS} as l where true ${among}
        ) as looked where is_found`;
    }),
  ];
}

/** Each follower with each log of it, as the table `f`. */
export function followedTable(followers: readonly Follower[]): Sql {
  const followed = followers
    .filter(followsLogs)
    .flatMap(({ name, follows }) => follows.map((log) => ({ name, log })));
  return sql`unnest(${followed.map(({ name }) => name)}::text[],
    ${followed.map(({ log }) => log)}::text[]) as f (name, log)`;
}

/**
 * That no follower waits for its time, as a condition on `f` and `l`.
 * @param ledgerId UUID, or the column that has it
 * @param now ms
 */
export function timely(followers: readonly Follower[], ledgerId: string | Sql, now: number): Sql {
  return ofEach(followers, ({ isDue }) => isDue?.(ledgerId, now));
}

function notStopped(followers: readonly Follower[]): Sql {
  return ofEach(followers, ({ hasStopped }) => hasStopped && sql`not (${hasStopped})`);
}

/** That what is said of a follower holds if it is that follower. */
function ofEach(
  followers: readonly Follower[],
  conditionOf: (follower: LogFollower) => Sql | undefined,
): Sql {
  const conditions = followers.filter(followsLogs).flatMap((follower) => {
    const condition = conditionOf(follower);
    return condition === undefined ? [] : [sql`(f.name <> ${follower.name} or (${condition}))`];
  });
  return join([sql`true`, ...conditions], ' and ');
}
