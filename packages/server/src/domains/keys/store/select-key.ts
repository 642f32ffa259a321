import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { KEY_COLUMNS, type KeyRow } from './key-row.js';

/** @param keyId UUID */
export async function selectKey(
  db: Queryable,
  { ledgerId }: Scope,
  keyId: string,
): Promise<KeyRow | null> {
  const [row] = await db.query<KeyRow>(sql`
    select ${KEY_COLUMNS} from api_keys k
    where k.ledger_id = ${ledgerId} and k.key_id = ${keyId}`);
  return row ?? null;
}
