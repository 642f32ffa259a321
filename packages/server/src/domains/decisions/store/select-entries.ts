import sql from 'sql-template-tag';
import type { RecordSpan } from '../../../platform/chain/verify.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface EntryRow {
  readonly seq: number;
  /** The text that was hashed. */
  readonly entry: string;
}

/** Entries in the order of the chain. */
export async function selectEntries(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select seq, entry from decisions
    where ledger_id = ${ledgerId} and seq between ${first} and ${last}
    order by seq limit ${limit}`);
}
