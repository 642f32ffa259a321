import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface ConnectionRow {
  readonly connection_id: string;
  readonly cursor: string | null;
  /** Sealed, hexadecimal. */
  readonly refresh_token: string | null;
  /** ms. */
  readonly polled_at: number | null;
  readonly problem: string | null;
}

export async function selectConnections(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<ConnectionRow[]> {
  return db.query<ConnectionRow>(sql`
    select connection_id, cursor, encode(refresh_token, 'hex') as refresh_token,
      (extract(epoch from polled_at) * 1000)::bigint as polled_at, problem
    from accounting_connections where ledger_id = ${ledgerId}`);
}
