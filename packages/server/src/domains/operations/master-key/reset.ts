import { randomBytes } from 'node:crypto';
import { lockHead } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import { KEPT, type Keyring } from '../../../platform/keyring/keyring.js';
import {
  insertKeyState,
  type KeyState,
  lockKeyState,
  openKeptKeys,
  updateKeyState,
  upsertKeptKeys,
} from '../../../platform/keyring/state.js';
import type { Transaction } from '../../../platform/ledger.js';
import { MasterKeyError, SealError } from '../../../platform/secrets.js';
import type { Installation } from '../../../platform/statement.js';
import { selectAllLedgers } from '../../access/organisations/index.js';
import { recordActivity } from '../../log/activity/index.js';

export interface ResetTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly keyring: Keyring;
}

const KEPT_BYTES = 32;

/**
 * Replaces a lost master key by the newest key of the ring. Values sealed under the lost key stay
 * unreadable, and earlier requests are no longer recognised by their Idempotency-Key.
 * @throws MasterKeyError if the key is not lost
 * @returns the ids of both keys; null for a previous key whose id was never stored
 */
export async function resetMasterKey({ db, installation, keyring }: ResetTools): Promise<{
  readonly key_id: string;
  readonly previous_key_id: string | null;
}> {
  const [key] = keyring.keys;
  if (key === undefined) throw new RangeError('a keyring needs a key');
  const ledgers = await selectAllLedgers(installation);
  return db.transaction(async (tx) => {
    for (const ledger of ledgers) await lockHead(tx.ledger(ledger), 'activity');
    const before = await lockKeyState(tx);
    if (before !== null && (await isSound(tx, keyring, before))) {
      throw new MasterKeyError('the database already uses this key: there is nothing to reset');
    }
    const names = { key_id: key.id, previous_key_id: before?.key_id ?? null };
    if (before === null) await insertKeyState(tx, key.id);
    await updateKeyState(tx, { key_id: key.id, previous_key_id: null, done_until: null });
    await upsertKeptKeys(tx, key, new Map(KEPT.map((name) => [name, randomBytes(KEPT_BYTES)])));
    for (const ledger of ledgers) {
      const subject = uuidToId('led', ledger.ledgerId);
      await recordActivity(tx.ledger(ledger), {
        type: 'master_key.reset',
        actor: 'operator',
        subject,
        data: names,
      });
    }
    return names;
  });
}

/** Whether the ring contains the key of the database, and it decrypts the keys sealed under it. */
async function isSound(tx: Transaction, keyring: Keyring, { key_id }: KeyState): Promise<boolean> {
  if (keyring.find(key_id) === undefined) return false;
  try {
    await openKeptKeys(tx, keyring);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
