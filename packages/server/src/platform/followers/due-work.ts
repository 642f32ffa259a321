import sql, { type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../ledger.js';
import { instant } from '../statement.js';
import { type Failure, nextTry } from './positions.js';

/** A subject that a follower has to do something about. */
export interface Due {
  /** UUID. */
  readonly subject: string;
  /** When it became due, in ms. */
  readonly since: number;
  /** What the last step noted, if it was not done with the subject. */
  readonly progress: string | null;
  /** Changes with each statement that makes the subject due again or notes a progress. */
  readonly version: string;
}

/** Makes a subject (UUID) due that no transaction knows of yet. */
export async function insertDue(
  tx: LedgerWriter,
  follower: string,
  subject: string,
): Promise<void> {
  const { text, values } = sql`
    insert into due_work (ledger_id, follower, subject)
    values (${tx.ledgerId}, ${follower}, ${subject})`;
  await tx.query({ name: 'insert-due', text, values });
}

/**
 * Makes subjects due that are not. Rows are inserted in the order of the subjects, so that two transactions wait for each
 * other in one order.
 * @param selected a query of UUIDs
 */
export async function insertDueOf(
  tx: LedgerWriter,
  follower: string,
  selected: Sql,
): Promise<void> {
  await tx.query(sql`
    insert into due_work (ledger_id, follower, subject)
    select own.ledger_id, ${follower}, subject
    from ${ownRow(tx.ledgerId)} as own, (${selected}) as found (subject)
    order by subject on conflict do nothing`);
}

/**
 * Makes subjects (UUIDs) due at once that may be due later, or being done. One that failed keeps its next try. Their rows
 * are written in any case, so that they stay due after a step that has read them before.
 */
export async function hastenDue(
  tx: LedgerWriter,
  follower: string,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await tx.query(sql`
    insert into due_work as w (ledger_id, follower, subject)
    select distinct own.ledger_id, ${follower}, subject
    from ${ownRow(tx.ledgerId)} as own, unnest(${subjects}::uuid[]) as s (subject) order by subject
    on conflict (ledger_id, follower, subject) do update
      set due_at = case when w.failures = 0 then '-infinity' else w.due_at end,
        since = case when w.failures > 0 or w.due_at = '-infinity' then w.since
          else least(w.due_at, excluded.since) end`);
}

/** Makes a subject (UUID) due at once and from its beginning, whatever was done of it, also if it failed: its cause may be gone. */
export async function restartDue(
  tx: LedgerWriter,
  follower: string,
  subject: string,
): Promise<void> {
  await tx.query(sql`
    insert into due_work (ledger_id, follower, subject)
    values (${tx.ledgerId}, ${follower}, ${subject})
    on conflict (ledger_id, follower, subject) do update
      set progress = null, due_at = '-infinity', failures = 0, reason = null, failed_at = null`);
}

/** One place of so many in a step is for subjects whose time has come, so that others that became due at once cannot keep them out. */
const TIMED = 8;

/**
 * The next subjects that are due: some of those whose time has come, in its order, then those that became due at once, in
 * the order of their ids, then the rest of the first. No index but the one by due time has the order that is asked for: with
 * an equality, the primary key has it too, and would be read past all that are set aside.
 * @param now ms
 */
export async function selectDue(
  ledger: LedgerReader,
  follower: string,
  now: number,
  limit: number,
): Promise<Due[]> {
  return ledger.query<Due>(sql`
    select subject, floor(extract(epoch from since) * 1000)::bigint as since, progress, version from (
      (select subject, since, progress, xmin::text as version,
        case when row_number() over (order by due_at, subject) <= ${Math.ceil(limit / TIMED)} then 0 else 2 end as place,
        row_number() over (order by due_at, subject) as number
        from due_work
        where ledger_id = ${ledger.ledgerId} and follower = ${follower}
          and due_at > '-infinity' and due_at <= ${instant(now)}
        order by due_at, subject limit ${limit})
      union all
      (select subject, since, progress, xmin::text, 1, row_number() over (order by due_at, subject)
        from due_work
        where ledger_id = ${ledger.ledgerId} and follower = ${follower} and due_at <= '-infinity'
        order by due_at, subject limit ${limit})) due
    order by place, number limit ${limit}`);
}

/** How often a subject (UUID) failed that is due now or later; null if nothing is left to do about it. */
export async function selectDueFailures(
  ledger: LedgerReader,
  follower: string,
  subject: string,
): Promise<number | null> {
  const [row] = await ledger.query<{ failures: number }>(sql`
    select failures from due_work
    where ledger_id = ${ledger.ledgerId} and follower = ${follower} and subject = ${subject}`);
  return row?.failures ?? null;
}

/** Whether a follower has something to do at once for a ledger, as an expression of a statement. */
export function hasDue(ledgerId: string, follower: string): Sql {
  return sql`exists (select from due_work w
    where w.ledger_id = ${ledgerId} and w.follower = ${follower} and w.due_at = '-infinity')`;
}

/** Locks subjects and returns those (UUIDs) that are due still, and that no statement changed since they were read. */
export async function lockDue(
  tx: LedgerWriter,
  follower: string,
  due: readonly Due[],
): Promise<string[]> {
  const versions = new Map(due.map(({ subject, version }) => [subject, version]));
  const rows = await tx.query<Pick<Due, 'subject' | 'version'>>(sql`
    select subject, xmin::text as version from due_work
    where ledger_id = ${tx.ledgerId} and follower = ${follower}
      and subject = any(${[...versions.keys()]}::uuid[])
    order by subject for update`);
  return rows.flatMap(({ subject, version }) =>
    versions.get(subject) === version ? [subject] : [],
  );
}

/** Notes what a step has done of a subject (UUID) that stays due. The next step continues from there. */
export async function noteProgress(
  tx: LedgerWriter,
  follower: string,
  subject: string,
  progress: string,
): Promise<void> {
  await tx.query(sql`
    update due_work set progress = ${progress}, due_at = '-infinity', failures = 0, reason = null,
      failed_at = null
    where ledger_id = ${tx.ledgerId} and follower = ${follower} and subject = ${subject}`);
}

/** @param subjects UUIDs of what is done, or gone */
export async function deleteDue(
  tx: LedgerWriter,
  follower: string,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from due_work
    where ledger_id = ${tx.ledgerId} and follower = ${follower}
      and subject = any(${subjects}::uuid[])`);
}

/** @param at when the subjects (UUIDs) that are done are due again, in ms */
export async function postponeDue(
  tx: LedgerWriter,
  follower: string,
  subjects: readonly string[],
  at: number,
): Promise<void> {
  await tx.query(sql`
    update due_work set due_at = ${instant(at)}, progress = null, failures = 0, reason = null,
      failed_at = null
    where ledger_id = ${tx.ledgerId} and follower = ${follower}
      and subject = any(${subjects}::uuid[])`);
}

/**
 * Notes that subjects failed again, and sets them aside until their next try. One that a statement changed since it was read
 * is left as it is.
 */
export async function noteDueFailure(
  tx: LedgerWriter,
  follower: string,
  due: readonly Due[],
  { reason, at }: Failure,
): Promise<void> {
  const subjects = due.map(({ subject }) => subject);
  const versions = due.map(({ version }) => version);
  await tx.query(sql`
    update due_work w set failures = failures + 1, reason = ${reason},
      failed_at = coalesce(failed_at, ${instant(at)}), due_at = ${nextTry(at)}
    from unnest(${subjects}::uuid[], ${versions}::text[]) as read (subject, version)
    where w.ledger_id = ${tx.ledgerId} and w.follower = ${follower}
      and w.subject = read.subject and w.xmin::text = read.version`);
}
