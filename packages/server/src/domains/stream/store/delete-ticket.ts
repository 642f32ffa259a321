import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Takes a ticket away, so that of several who bring it one has it.
 * @param hash SHA-256, hexadecimal
 * @param now ms
 * @returns the key (UUID) that asked for it, null where there is no such ticket or it has expired
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
