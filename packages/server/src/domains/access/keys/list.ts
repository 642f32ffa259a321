import type { Key } from '@decision-ledger/contract/key';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import { everyRow, mapPage, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { describeKey } from './rules/key.js';
import { selectKeys } from './store/api-keys.js';

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
): Promise<PageRows<ListedKey>> {
  const page = await selectKeys(db, scope, before, limit);
  return mapPage(page, (row) => ({
    uuid: row.key_id,
    key: describeKey(uuidToId('key', row.key_id), scope.mode, row),
  }));
}

/** All keys of a ledger, newest first. */
export async function everyKey(db: Queryable, scope: Scope): Promise<Key[]> {
  const listed = await everyRow<ListedKey>((last) =>
    listKeys(db, scope, last?.uuid ?? null, LIMITS.pageMax),
  );
  return listed.map(({ key }) => key);
}
