import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** @param now ms */
export async function deleteExpiredTickets(
  db: Queryable,
  { ledgerId }: Scope,
  now: number,
): Promise<void> {
  await db.query(sql`
    delete from stream_tickets
    where ledger_id = ${ledgerId} and expires_at <= to_timestamp(${now}::bigint / 1000.0)`);
}

/**
 * Deletes a ticket. Of several concurrent calls, one succeeds.
 * @param hash SHA-256, hexadecimal
 * @param now ms
 * @returns UUID of the key that the ticket stands for; null if it is unknown or has expired
 */
export async function deleteTicket(
  db: Queryable,
  { ledgerId }: Pick<Scope, 'ledgerId'>,
  hash: string,
  now: number,
): Promise<string | null> {
  const [row] = await db.query<{ key_id: string; is_good: boolean }>(sql`
    delete from stream_tickets
    where ledger_id = ${ledgerId} and ticket_hash = decode(${hash}, 'hex')
    returning key_id, expires_at > to_timestamp(${now}::bigint / 1000.0) as is_good`);
  return row?.is_good === true ? row.key_id : null;
}

export interface TicketRow {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** UUID of the key that the ticket stands for. */
  readonly keyId: string;
  /** ms. */
  readonly expiresAt: number;
}

export async function insertTicket(
  db: Queryable,
  { ledgerId }: Scope,
  { hash, keyId, expiresAt }: TicketRow,
): Promise<void> {
  await db.query(sql`
    insert into stream_tickets (ledger_id, ticket_hash, key_id, expires_at)
    values (${ledgerId}, decode(${hash}, 'hex'), ${keyId},
      to_timestamp(${expiresAt}::bigint / 1000.0))`);
}
