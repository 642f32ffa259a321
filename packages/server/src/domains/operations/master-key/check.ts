import type { Database } from '../../../platform/database.js';
import { KEPT, type Keyring, type MasterKey } from '../../../platform/keyring/keyring.js';
import {
  insertKeyState,
  type KeyState,
  openKeptKeys,
  selectKeyState,
  upsertKeptKeys,
} from '../../../platform/keyring/state.js';
import { deriveKey, MasterKeyError, SealError } from '../../../platform/secrets.js';
import { trySettings } from '../../access/settings/index.js';
import { trySigningKeys } from '../../evidence/signing-keys/index.js';
import { tryLogKeys } from '../../evidence/transparency/index.js';
import { tryRefreshTokens } from '../../sources/accounting/index.js';

/** Values of each kind that are tried: one that can be decrypted proves the key. */
const MAX_TRIED = 20;

/**
 * Compares the keys of this process with the database, and selects the current one. The first process
 * stores the id of its key, unless the database contains values sealed under another key.
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
      'the master key is that of this database, but the keys sealed under it cannot be decrypted: they ' +
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

async function nameKey(db: Database, keyring: Keyring): Promise<KeyState> {
  const key = await keyOfDatabase(db, keyring);
  await db.transaction(async (tx) => {
    if (!(await insertKeyState(tx, key.id))) return;
    // Earlier releases derived these keys from the master key; the values stay the same.
    const kept = KEPT.map((purpose) => [purpose, deriveKey(key.bytes, purpose)] as const);
    await upsertKeptKeys(tx, key, new Map(kept));
  });
  const state = await selectKeyState(db);
  if (state === null) throw new Error('the database has no master key id');
  return state;
}

/** The key of the ring that decrypts the values of the database; the oldest if there are none. */
async function keyOfDatabase(db: Database, keyring: Keyring): Promise<MasterKey> {
  const [newest] = keyring.keys;
  const oldest = keyring.keys.at(-1) ?? newest;
  if (oldest === undefined) throw new RangeError('a keyring needs a key');
  let isSealed = false;
  for (const key of [oldest, ...keyring.keys]) {
    const answers = await tryKey(db, keyring.only(key));
    if (answers.includes(true)) return key;
    isSealed = answers.length > 0;
  }
  if (isSealed) {
    throw new MasterKeyError(
      `the master key given decrypts none of the secrets in this database: ${REMEDY}`,
    );
  }
  return oldest;
}

async function tryKey(db: Database, keyring: Keyring): Promise<boolean[]> {
  const kinds = [trySigningKeys, tryLogKeys, trySettings, tryRefreshTokens];
  const answers = await Promise.all(kinds.map((tryKind) => tryKind(db, keyring, MAX_TRIED)));
  return answers.flat();
}

const REMEDY =
  'set LEDGER_MASTER_KEY to the key that this database was used with (with the embedded engine, restore ' +
  'master.key from a backup). If that key is lost permanently, `decision-ledger master-key reset` ' +
  'replaces it, and the secrets sealed under the old one have to be set again';

function otherKey(keyring: Keyring, state: KeyState): MasterKeyError {
  const given = keyring.keys.map(({ id }) => id).join(' and ');
  const target = state.previous_key_id === null ? '' : ', the target of an unfinished rotation';
  return new MasterKeyError(
    `the master key given (${given}) is not that of this database (${state.key_id}${target}): ${REMEDY}`,
  );
}

function halfRotated({ key_id }: KeyState, previous: string): MasterKeyError {
  return new MasterKeyError(
    `the master key is being changed from ${previous} to ${key_id}, and the previous one is missing: set ` +
      'LEDGER_MASTER_KEY_PREVIOUS to it (with the embedded engine, keep master.key and master.key.next), ' +
      'and finish the change with `decision-ledger master-key rotate`',
  );
}
