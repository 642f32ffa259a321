import type { Key } from '@decision-ledger/contract/key';
import type { Queryable } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { describeKey } from './rules/key.js';
import { selectKeys } from './store/select-keys.js';

export interface ListedKey {
  readonly uuid: string;
  readonly key: Key;
}

/** Keys of a ledger, newest first. */
export async function listKeys(
  db: Queryable,
  scope: Scope,
  before: string | null,
  limit: number,
): Promise<ListedKey[]> {
  const rows = await selectKeys(db, scope, before, limit);
  return rows.map((row) => ({
    uuid: row.key_id,
    key: describeKey(uuidToId('key', row.key_id), scope.mode, row),
  }));
}
