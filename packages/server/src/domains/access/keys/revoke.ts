import { notFound } from '@decision-ledger/contract/errors';
import type { Key } from '@decision-ledger/contract/key';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { describeApiKey } from './rules/key.js';
import { revokeKeyRow, selectKey } from './store/api-keys.js';

/**
 * Revokes a key of the principal's ledger. Revoking it again changes nothing.
 * @throws LedgerError `not_found`
 */
export async function revokeKey(tx: LedgerWriter, { actor }: Actor, keyId: string): Promise<Key> {
  const uuid = idToUuid('key', keyId);
  if (uuid === null) throw notFound('key');
  // Of two concurrent revocations, the second waits here and finds the key revoked.
  await lockHead(tx, 'activity');
  const row = await selectKey(tx, uuid);
  if (row === null) throw notFound('key');
  if (row.revoked_at !== null) return describeApiKey(keyId, tx.scope.mode, row);
  const data = { name: row.name };
  const revokedAt = await recordActivity(tx, {
    type: 'key.revoked',
    actor,
    subject: keyId,
    data,
  });
  await revokeKeyRow(tx, uuid, revokedAt);
  return describeApiKey(keyId, tx.scope.mode, { ...row, revoked_at: revokedAt });
}
