import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import type { Installation } from '../../../../platform/statement.js';

/** Every ledger whose settings name an accounting connection. */
export async function selectConnectedLedgers(installation: Installation): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join settings s on s.ledger_id = l.ledger_id
    where s.document like '%"accounting"%'`);
  return rows.map(toScope);
}

export interface ConnectionRow {
  readonly connection_id: string;
  readonly cursor: string | null;
  /** Sealed, hexadecimal. */
  readonly refresh_token: string | null;
  /** ms. */
  readonly polled_at: number | null;
  readonly problem: string | null;
  readonly problem_count: number;
  /** JSON: see `Withheld`. */
  readonly withheld: string | null;
}

export async function selectConnections(ledger: LedgerReader): Promise<ConnectionRow[]> {
  return ledger.query<ConnectionRow>(sql`
    select connection_id, cursor, encode(refresh_token, 'hex') as refresh_token,
      (extract(epoch from polled_at) * 1000)::bigint as polled_at, problem, problem_count, withheld
    from accounting_connections where ledger_id = ${ledger.ledgerId}`);
}

/** The result of a poll. A null cursor keeps the one before. */
export interface PollEnd {
  readonly connectionId: string;
  readonly cursor: string | null;
  readonly problem: string | null;
  readonly problemCount: number;
  /** ms. */
  readonly polledAt: number;
}

export async function upsertPoll(
  tx: LedgerWriter,
  { connectionId, cursor, problem, problemCount, polledAt }: PollEnd,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_connections as c (ledger_id, connection_id, cursor, problem,
      problem_count, polled_at)
    values (${tx.ledgerId}, ${connectionId}, ${cursor}, ${problem}, ${problemCount},
      to_timestamp(${polledAt}::bigint / 1000.0))
    on conflict (ledger_id, connection_id) do update
      set cursor = coalesce(excluded.cursor, c.cursor), problem = excluded.problem,
        problem_count = excluded.problem_count, polled_at = excluded.polled_at`);
}

/** Replaces what the last poll reported, unless another one has ended. */
export async function updateProblem(
  tx: LedgerWriter,
  connectionId: string,
  before: string | null,
  after: string | null,
): Promise<void> {
  await tx.query(sql`
    update accounting_connections set problem = ${after}
    where ledger_id = ${tx.ledgerId} and connection_id = ${connectionId}
      and problem is not distinct from ${before}`);
}

/** @param withheld JSON; null if nothing ever was */
export async function upsertWithheld(
  tx: LedgerWriter,
  connectionId: string,
  withheld: string | null,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_connections (ledger_id, connection_id, withheld)
    values (${tx.ledgerId}, ${connectionId}, ${withheld})
    on conflict (ledger_id, connection_id) do update set withheld = excluded.withheld`);
}

/** What a connection withholds, locked; null if there is nothing. */
export async function lockWithheld(tx: LedgerWriter, connectionId: string): Promise<string | null> {
  const [row] = await tx.query<{ withheld: string | null }>(sql`
    select withheld from accounting_connections
    where ledger_id = ${tx.ledgerId} and connection_id = ${connectionId} for update`);
  return row?.withheld ?? null;
}

/**
 * Stores a token in one statement, so that it cannot be lost.
 * @param sealed hexadecimal
 * @param keyId id of the master key that sealed it
 * @returns false if the master key has changed
 */
export async function upsertRefreshToken(
  tx: LedgerWriter,
  connectionId: string,
  sealed: string,
  keyId: string,
): Promise<boolean> {
  const kept = await tx.query(sql`
    with held as (select key_id from master_key where key_id = ${keyId} for share)
    insert into accounting_connections (ledger_id, connection_id, refresh_token)
    select ${tx.ledgerId}, ${connectionId}, decode(${sealed}, 'hex') from held
    on conflict (ledger_id, connection_id) do update set refresh_token = excluded.refresh_token
    returning connection_id`);
  return kept.length === 1;
}

/**
 * Replaces a sealed token by the same one under another key, unless a poll has stored a newer one.
 * @param before hexadecimal, like `after`
 */
export async function updateRefreshToken(
  tx: LedgerWriter,
  connectionId: string,
  before: string,
  after: string,
): Promise<void> {
  await tx.query(sql`
    update accounting_connections set refresh_token = decode(${after}, 'hex')
    where ledger_id = ${tx.ledgerId} and connection_id = ${connectionId}
      and refresh_token = decode(${before}, 'hex')`);
}

export interface PendingPoll {
  readonly connection_id: string;
  /** `retry`: waits after a failed attempt. */
  readonly state: 'created' | 'retry' | 'active';
}

/** Polls that are queued, running or waiting for a retry. */
export async function selectPendingPolls(
  ledger: LedgerReader,
  queue: string,
): Promise<PendingPoll[]> {
  return ledger.query<PendingPoll>(sql`
    select data ->> 'connection_id' as connection_id, state::text as state from job
    where name = ${queue} and state in ('created', 'retry', 'active')
      and data ->> 'ledger_id' = ${ledger.ledgerId}`);
}
