import sql from 'sql-template-tag';
import type { LedgerWriter } from '../../../../platform/ledger.js';

/** @param now ms */
export async function deleteExpiredTickets(tx: LedgerWriter, now: number): Promise<void> {
  await tx.query(sql`
    delete from stream_tickets
    where ledger_id = ${tx.ledgerId} and expires_at <= to_timestamp(${now}::bigint / 1000.0)`);
}

/**
 * Deletes a ticket. Of several concurrent calls, one succeeds.
 * @param hash SHA-256, hexadecimal
 * @param now ms
 * @returns null if the ticket is unknown or has expired
 */
export async function deleteTicket(
  tx: LedgerWriter,
  hash: string,
  now: number,
): Promise<TicketHolder | null> {
  const [row] = await tx.query<TicketHolder & { isGood: boolean }>(sql`
    delete from stream_tickets
    where ledger_id = ${tx.ledgerId} and ticket_hash = decode(${hash}, 'hex')
    returning key_id as "keyId", session_id as "sessionId",
      expires_at > to_timestamp(${now}::bigint / 1000.0) as "isGood"`);
  return row?.isGood === true ? row : null;
}

/** What a ticket stands for: a session, or else a key. */
interface TicketHolder {
  /** UUID of the key, or of the key that opened the session. */
  readonly keyId: string;
  /** UUID; null for a key. */
  readonly sessionId: string | null;
}

export interface TicketRow extends TicketHolder {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** ms. */
  readonly expiresAt: number;
}

export async function insertTicket(
  tx: LedgerWriter,
  { hash, keyId, sessionId, expiresAt }: TicketRow,
): Promise<void> {
  await tx.query(sql`
    insert into stream_tickets (ledger_id, ticket_hash, key_id, session_id, expires_at)
    values (${tx.ledgerId}, decode(${hash}, 'hex'), ${keyId}, ${sessionId},
      to_timestamp(${expiresAt}::bigint / 1000.0))`);
}
