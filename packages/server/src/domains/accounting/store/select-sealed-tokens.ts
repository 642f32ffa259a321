import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';

export interface SealedTokenRow {
  readonly ledger_id: string;
  readonly connection_id: string;
  /** Sealed, hexadecimal. */
  readonly refresh_token: string;
}

/** Refresh tokens of a few ledgers, to try a master key on. */
export async function selectSealedTokens(db: Queryable, limit: number): Promise<SealedTokenRow[]> {
  return db.query<SealedTokenRow>(sql`
    select ledger_id, connection_id, encode(refresh_token, 'hex') as refresh_token
    from accounting_connections where refresh_token is not null limit ${limit}`);
}
