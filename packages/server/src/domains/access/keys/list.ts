import { notFound } from '@decision-ledger/contract/errors';
import type { Key } from '@decision-ledger/contract/key';
import { LIMITS } from '@decision-ledger/contract/limits';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { everyRow, mapPage, type PageRows } from '../../../platform/page.js';
import { describeApiKey } from './rules/key.js';
import { selectKey, selectKeys } from './store/api-keys.js';

export interface ListedKey {
  readonly uuid: string;
  readonly key: Key;
}

/** Keys of a ledger, newest first. */
export async function listKeys(
  ledger: LedgerReader,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedKey>> {
  const page = await selectKeys(ledger, before, limit);
  return mapPage(page, (row) => ({
    uuid: row.key_id,
    key: describeApiKey(uuidToId('key', row.key_id), ledger.scope.mode, row),
  }));
}

/**
 * A key of the ledger.
 * @throws LedgerError `not_found`
 */
export async function findKey(ledger: LedgerReader, keyId: string): Promise<Key> {
  const uuid = idToUuid('key', keyId);
  const row = uuid === null ? null : await selectKey(ledger, uuid);
  if (row === null) throw notFound('key');
  return describeApiKey(keyId, ledger.scope.mode, row);
}

/** All keys of a ledger, newest first. */
export async function everyKey(ledger: LedgerReader): Promise<Key[]> {
  const listed = await everyRow<ListedKey>((last) =>
    listKeys(ledger, last?.uuid ?? null, LIMITS.pageMax),
  );
  return listed.map(({ key }) => key);
}
