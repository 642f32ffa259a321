import type { Database } from '../../../platform/database.js';
import { KEPT, type Keyring } from '../../../platform/keyring/keyring.js';
import {
  insertKeyState,
  type KeyState,
  openKeptKeys,
  selectKeyState,
  upsertKeptKeys,
} from '../../../platform/keyring/state.js';
import { deriveKey, MasterKeyError, SealError } from '../../../platform/secrets.js';

/**
 * Compares the keys of this process with the database, and selects the current one. The first process
 * stores the id of its key.
 * @throws MasterKeyError
 */
export async function checkMasterKey(db: Database, keyring: Keyring): Promise<KeyState> {
  const state = (await selectKeyState(db)) ?? (await nameKey(db, keyring));
  if (keyring.find(state.key_id) === undefined) throw otherKey(keyring, state);
  const { previous_key_id: previous } = state;
  if (previous !== null && keyring.find(previous) === undefined) {
    throw halfRotated(state, previous);
  }
  try {
    keyring.adopt(state.key_id, await openKeptKeys(db, keyring));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new MasterKeyError(
      'the master key is right for this database, but keys encrypted with it cannot be decrypted: they ' +
        'were altered. Restore the database, or see `decision-ledger master-key reset --help`',
      { cause: error },
    );
  }
  return state;
}

/** Selects the current key by the database: another process may be rotating it. */
export async function followMasterKey(db: Database, keyring: Keyring): Promise<void> {
  const state = await selectKeyState(db);
  if (state !== null && keyring.find(state.key_id) !== undefined) keyring.follow(state.key_id);
}

/** A ring with two keys that meets a new database changes its key later: the oldest comes first. */
async function nameKey(db: Database, keyring: Keyring): Promise<KeyState> {
  const key = keyring.keys.at(-1);
  if (key === undefined) throw new RangeError('a keyring needs a key');
  await db.transaction(async (tx) => {
    if (!(await insertKeyState(tx, key.id))) return;
    // Whoever has this key can resolve the names in insurance bundles (docs/insurance.md).
    const kept = KEPT.map((purpose) => [purpose, deriveKey(key.bytes, purpose)] as const);
    await upsertKeptKeys(tx, key, new Map(kept));
  });
  const state = await selectKeyState(db);
  if (state === null) throw new Error('the database has no master key id');
  return state;
}

const REMEDY =
  'set LEDGER_MASTER_KEY to the key that this database was used with (with the embedded engine, restore ' +
  'master.key from a backup). If that key is lost permanently, `decision-ledger master-key reset` ' +
  'replaces it, and the secrets sealed under the old one have to be set again';

function otherKey(keyring: Keyring, state: KeyState): MasterKeyError {
  const given = keyring.keys.map(({ id }) => id).join(' and ');
  const target = state.previous_key_id === null ? '' : ', the target of an unfinished rotation';
  return new MasterKeyError(
    `the master key (${given}) is not the one of this database (${state.key_id}${target}): ${REMEDY}`,
  );
}

function halfRotated({ key_id }: KeyState, previous: string): MasterKeyError {
  return new MasterKeyError(
    `the master key is being changed from ${previous} to ${key_id}, and the previous one is missing: set ` +
      'LEDGER_MASTER_KEY_PREVIOUS to it (with the embedded engine, keep master.key and master.key.next), ' +
      'and finish the change with `decision-ledger master-key rotate`',
  );
}
