import sql, { type Sql } from 'sql-template-tag';
import type { ChainName } from '../chain/head.js';
import type { LedgerReader, LedgerWriter } from '../ledger.js';
import { instant } from '../statement.js';

/** How far a follower is in one log. */
export interface FollowerPosition {
  /** Null before the first step. */
  readonly seq: number | null;
  /** The last record of the log. */
  readonly head: number;
}

/**
 * The record up to which a follower has taken a log, as an expression of a statement.
 * @param ledgerId UUID, or the column that has it
 */
export function followerPosition(ledgerId: string | Sql, follower: string, log: ChainName): Sql {
  return sql`coalesce((select f.seq from follower_positions f
    where f.ledger_id = ${ledgerId} and f.follower = ${follower} and f.log = ${log}), 0)`;
}

export async function selectPosition(
  ledger: LedgerReader,
  follower: string,
  log: ChainName,
): Promise<FollowerPosition> {
  const { text, values } = sql`
    select p.seq, h.seq as head
    from chain_heads h
    left join follower_positions p on p.ledger_id = h.ledger_id and p.follower = ${follower}
      and p.log = h.chain
    where h.ledger_id = ${ledger.ledgerId} and h.chain = ${log}`;
  const [row] = await ledger.query<FollowerPosition>({ name: 'select-position', text, values });
  return row ?? { seq: null, head: 0 };
}

/** Locks the position until the transaction ends, before anything that the follower locks. */
export async function lockPosition(
  tx: LedgerWriter,
  follower: string,
  log: ChainName,
): Promise<number> {
  const { text, values } = sql`
    select seq from follower_positions
    where ledger_id = ${tx.ledgerId} and follower = ${follower} and log = ${log} for update`;
  const lock = () => tx.query<{ seq: number }>({ name: 'lock-position', text, values });
  const [row] = await lock();
  if (row !== undefined) return row.seq;
  await tx.query(sql`
    insert into follower_positions (ledger_id, follower, log, seq)
    values (${tx.ledgerId}, ${follower}, ${log}, 0) on conflict do nothing`);
  const [fresh] = await lock();
  if (fresh === undefined) throw new Error(`the position of ${follower} cannot be locked`);
  return fresh.seq;
}

/** Moves the locked position. What failed before it is over. */
export async function movePosition(
  tx: LedgerWriter,
  follower: string,
  log: ChainName,
  seq: number,
): Promise<void> {
  const { text, values } = sql`
    update follower_positions set seq = ${seq}, failures = 0, reason = null, failed_at = null,
      retry_at = null
    where ledger_id = ${tx.ledgerId} and follower = ${follower} and log = ${log}`;
  await tx.query({ name: 'move-position', text, values });
}

export interface Failure {
  readonly reason: string;
  /** ms. */
  readonly at: number;
}

/** Until what failed is tried again: the first time, and the longest. */
const RETRY_MS = { first: 5_000, longest: 900_000 };

/**
 * When a row with the column `failures` is tried again. Counted in ms: the sum of a time and an interval depends on the time
 * zone, so a cluster refuses it in an update.
 * @param at ms
 */
export const nextTry = (at: number): Sql =>
  sql`to_timestamp((${at}::bigint
    + least(${RETRY_MS.longest}, ${RETRY_MS.first} * 2 ^ least(failures, 20))) / 1000.0)::timestamptz(3)`;

/**
 * Notes that the record after the locked position failed again. Until its next try, the follower does not take the
 * ledger.
 */
export async function noteFailure(
  tx: LedgerWriter,
  follower: string,
  log: ChainName,
  { reason, at }: Failure,
): Promise<void> {
  await tx.query(sql`
    update follower_positions set failures = failures + 1, reason = ${reason},
      failed_at = coalesce(failed_at, ${instant(at)}), retry_at = ${nextTry(at)}
    where ledger_id = ${tx.ledgerId} and follower = ${follower} and log = ${log}`);
}

/** Notes a record that was passed over. */
export async function insertFailed(
  tx: LedgerWriter,
  follower: string,
  log: ChainName,
  { seq, reason, at }: Failure & { readonly seq: number },
): Promise<void> {
  await tx.query(sql`
    insert into follower_failures (ledger_id, follower, log, seq, reason, failed_at)
    values (${tx.ledgerId}, ${follower}, ${log}, ${seq}, ${reason}, ${instant(at)})
    on conflict do nothing`);
}
