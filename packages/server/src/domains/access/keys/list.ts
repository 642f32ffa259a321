import { notFound } from '@decision-ledger/contract/errors';
import type { Key } from '@decision-ledger/contract/key';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import { everyRow, mapPage, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { describeKey } from './rules/key.js';
import { selectKey, selectKeys } from './store/api-keys.js';

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

/**
 * When a key of the ledger expires, ms; null for never.
 * @param keyId UUID
 * @throws LedgerError `not_found`
 */
export async function findKeyExpiry(
  db: Queryable,
  scope: Scope,
  keyId: string,
): Promise<number | null> {
  const key = await selectKey(db, scope, keyId);
  if (key === null) throw notFound('key');
  return key.expires_at;
}

/** All keys of a ledger, newest first. */
export async function everyKey(db: Queryable, scope: Scope): Promise<Key[]> {
  const listed = await everyRow<ListedKey>((last) =>
    listKeys(db, scope, last?.uuid ?? null, LIMITS.pageMax),
  );
  return listed.map(({ key }) => key);
}
