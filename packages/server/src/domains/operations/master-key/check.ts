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
import { tryRefreshTokens } from '../../sources/accounting/index.js';

/** So many values of a kind are tried: one that opens proves the key, whatever became of the others. */
const TRIED = 20;

/**
 * Compares the keys of this process with the database, and takes from it which one seals now. The
 * first process that comes names its key to the database, unless that holds what was sealed under
 * another one.
 * @throws MasterKeyError
 */
export async function checkMasterKey(db: Database, keyring: Keyring): Promise<KeyState> {
  const state = (await selectKeyState(db)) ?? (await nameKey(db, keyring));
  if (keyring.find(state.key_id) === undefined) throw otherKey(keyring, state);
  const { previous_key_id: previous } = state;
  if (previous !== null && keyring.find(previous) === undefined) throw halfChanged(state, previous);
  try {
    keyring.adopt(state.key_id, await openKeptKeys(db, keyring));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new MasterKeyError(
      'the master key is the one of this database, and the keys that are sealed under it do not open: ' +
        'they were altered. Restore the database, or see what `decision-ledger master-key reset --help` says',
      { cause: error },
    );
  }
  return state;
}

/** Takes from the database which of two keys seals now: another process may be changing it. */
export async function followMasterKey(db: Database, keyring: Keyring): Promise<void> {
  const state = await selectKeyState(db);
  if (state !== null && keyring.find(state.key_id) !== undefined) keyring.follow(state.key_id);
}

async function nameKey(db: Database, keyring: Keyring): Promise<KeyState> {
  const key = await keyOfDatabase(db, keyring);
  await db.transaction(async (tx) => {
    if (!(await insertKeyState(tx, key.id))) return;
    // What releases before this one derived from the master key stays as it was.
    const kept = KEPT.map((purpose) => [purpose, deriveKey(key.bytes, purpose)] as const);
    await upsertKeptKeys(tx, key, new Map(kept));
  });
  const state = await selectKeyState(db);
  if (state === null) throw new Error('the master key of the database has no name');
  return state;
}

/** Of the keys given, the one under which the database sealed until now. */
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
      `none of the secrets in this database opens with the master key given: ${REMEDY}`,
    );
  }
  return oldest;
}

async function tryKey(db: Database, keyring: Keyring): Promise<boolean[]> {
  const kinds = [trySigningKeys, trySettings, tryRefreshTokens];
  const answers = await Promise.all(kinds.map((tryKind) => tryKind(db, keyring, TRIED)));
  return answers.flat();
}

const REMEDY =
  'set LEDGER_MASTER_KEY to the key that this database was used with (with the embedded engine, restore ' +
  'master.key from a backup). Where that key is lost for good, `decision-ledger master-key reset` ' +
  'takes a new one, and the secrets sealed under the old one have to be set again';

function otherKey(keyring: Keyring, state: KeyState): MasterKeyError {
  const given = keyring.keys.map(({ id }) => id).join(' and ');
  const begun = state.previous_key_id === null ? '' : ', to which it is being changed';
  return new MasterKeyError(
    `the master key given (${given}) is not the one of this database (${state.key_id}${begun}): ${REMEDY}`,
  );
}

function halfChanged({ key_id }: KeyState, previous: string): MasterKeyError {
  return new MasterKeyError(
    `the master key is being changed from ${previous} to ${key_id}, and the former is missing: set ` +
      'LEDGER_MASTER_KEY_PREVIOUS to it (with the embedded engine, keep master.key and master.key.next), ' +
      'and finish the change with `decision-ledger master-key rotate`',
  );
}
