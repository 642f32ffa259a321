import sql, { type Sql } from 'sql-template-tag';
import { instant } from '../instant.js';
import type { LedgerReader, LedgerWriter } from '../ledger.js';
import { type Failure, RETRY } from './positions.js';

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
    select ${tx.ledgerId}, ${follower}, subject from (${selected}) as found (subject)
    where not exists (select from due_work w
      where w.ledger_id = ${tx.ledgerId} and w.follower = ${follower} and w.subject = found.subject)
    order by subject on conflict do nothing`);
}

/**
 * Makes a subject (UUID) due at once that may be due later, or being done. One that failed keeps its next try. Its row is
 * written in any case, so that a step that has read it does it again.
 */
export async function hastenDue(
  tx: LedgerWriter,
  follower: string,
  subject: string,
): Promise<void> {
  await tx.query(sql`
    insert into due_work as w (ledger_id, follower, subject)
    values (${tx.ledgerId}, ${follower}, ${subject})
    on conflict (ledger_id, follower, subject) do update
      set due_at = '-infinity', since = case when w.due_at = '-infinity' then w.since
        else least(w.due_at, clock_timestamp()) end
      where w.failures = 0`);
}

/** Makes a subject (UUID) due from its beginning, whatever was done of it. One that failed keeps its next try. */
export async function restartDue(
  tx: LedgerWriter,
  follower: string,
  subject: string,
): Promise<void> {
  await tx.query(sql`
    insert into due_work (ledger_id, follower, subject)
    values (${tx.ledgerId}, ${follower}, ${subject})
    on conflict (ledger_id, follower, subject) do update set progress = null`);
}

/**
 * The next subjects that are due: those that became due at once in the order of their ids, then others in that of their time.
 * @param now ms
 */
export async function selectDue(
  ledger: LedgerReader,
  follower: string,
  now: number,
  limit: number,
): Promise<Due[]> {
  return ledger.query<Due>(sql`
    select subject, floor(extract(epoch from since) * 1000)::bigint as since, progress,
      xmin::text as version
    from due_work
    where ledger_id = ${ledger.ledgerId} and follower = ${follower} and due_at <= ${instant(now)}
    order by due_at, subject limit ${limit}`);
}

/** Whether something is left to do about a subject (UUID), also if it failed. */
export async function isDue(
  ledger: LedgerReader,
  follower: string,
  subject: string,
): Promise<boolean> {
  const rows = await ledger.query(sql`
    select from due_work
    where ledger_id = ${ledger.ledgerId} and follower = ${follower} and subject = ${subject}`);
  return rows.length > 0;
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

/** Notes that subjects (UUIDs) failed again, and sets them aside until their next try. */
export async function noteDueFailure(
  tx: LedgerWriter,
  follower: string,
  subjects: readonly string[],
  { reason, at }: Failure,
): Promise<void> {
  await tx.query(sql`
    update due_work set failures = failures + 1, reason = ${reason},
      failed_at = coalesce(failed_at, ${instant(at)}), due_at = ${instant(at)}
        + make_interval(secs => least(${RETRY.longest}, ${RETRY.first} * 2 ^ least(failures, 20)))
    where ledger_id = ${tx.ledgerId} and follower = ${follower}
      and subject = any(${subjects}::uuid[])`);
}
