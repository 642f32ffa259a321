import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface TicketRow {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** UUID of the key that asked for it. */
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
