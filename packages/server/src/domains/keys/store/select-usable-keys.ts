import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/** A key of a known ledger, with whose ledger that is. */
export interface KeyOfLedger extends KeyRow {
  readonly ledger_id: string;
  readonly org_id: string;
  readonly mode: Mode;
}

/**
 * Keys that are neither revoked nor expired.
 * @param keyIds UUIDs
 * @param now ms
 */
export async function selectUsableKeys(
  db: Queryable,
  { ledgerId }: Pick<Scope, 'ledgerId'>,
  keyIds: readonly string[],
  now: number,
): Promise<KeyOfLedger[]> {
  return db.query<KeyOfLedger>(sql`
    select ${KEY_COLUMNS}, l.ledger_id, l.org_id, l.mode
    from api_keys k join ledgers l on l.ledger_id = k.ledger_id
    where k.ledger_id = ${ledgerId} and k.key_id = any(${keyIds}::uuid[])
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > to_timestamp(${now}::bigint / 1000.0))`);
}
