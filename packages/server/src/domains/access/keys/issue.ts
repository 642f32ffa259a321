import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { IssuedKey, KeyBody } from '@decision-ledger/contract/key';
import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import type { Transaction } from '../../../platform/database.js';
import { type IdFactory, uuidToId } from '../../../platform/ids.js';
import type { Principal } from '../../../platform/principal.js';
import type { RandomPool } from '../../../platform/random.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { describeKey } from './rules/key.js';
import { formatKey, makeSecret } from './rules/key-text.js';
import { insertKey } from './store/api-keys.js';

export interface KeyTools {
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly random: RandomPool;
  readonly recordActivity: RecordActivity;
}

/**
 * Issues a key for the principal's ledger. Its text is returned and not stored.
 * @throws LedgerError `forbidden` for a permission that the principal lacks, `validation_error` for an
 *   expiry that is not a time in the future
 */
export async function issueKey(
  tools: KeyTools,
  tx: Transaction,
  { scope, actor, permissions: held }: Principal,
  body: KeyBody,
): Promise<IssuedKey> {
  const lacking = body.permissions.filter((permission) => !held.has(permission));
  if (lacking.length > 0) {
    const list = lacking.join(', ');
    throw new LedgerError('forbidden', `a key can only grant permissions that it has; not ${list}`);
  }
  const expiresAt = readExpiry(body.expires_at, tools.clock.now());
  const { name, permissions } = body;
  const uuid = tools.ids.uuid();
  const keyId = uuidToId('key', uuid);
  const text = formatKey(
    scope.mode,
    makeSecret((size) => tools.random.bytes(size)),
  );
  const expiry = expiresAt === null ? null : formatTimestamp(expiresAt);
  const data = { name, permissions, expires_at: expiry };
  const createdAt = await tools.recordActivity(tx, scope, {
    type: 'key.issued',
    actor,
    subject: keyId,
    data,
  });
  const row = { key_id: uuid, name, permissions, created_at: createdAt, expires_at: expiresAt };
  await insertKey(tx, scope, row, sha256Hex(text));
  return { ...describeKey(keyId, scope.mode, { ...row, revoked_at: null }), key: text };
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const expiry = parseTimestamp(text);
  if (expiry === null) {
    throw invalidField('expires_at', 'must be an RFC 3339 date-time such as 2027-01-01T00:00:00Z');
  }
  if (expiry <= now) throw invalidField('expires_at', 'must be in the future');
  return expiry;
}
