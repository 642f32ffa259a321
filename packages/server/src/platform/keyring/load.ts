import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { loadMasterKey, MasterKeyError, readMasterKey, syncFolder } from '../secrets.js';

/** The keys of the environment, in base64. */
export interface GivenKeys {
  readonly masterKey: string | null;
  readonly previousMasterKey: string | null;
}

const CURRENT = 'master.key';
/** Exists during a key rotation. */
const NEXT = 'master.key.next';

/**
 * The keys of the environment, newest first.
 * @throws MasterKeyError
 */
export function loadGivenKeys({ masterKey, previousMasterKey }: GivenKeys): Buffer[] {
  const current = loadMasterKey({ base64: masterKey ?? '' });
  if (previousMasterKey === null) return [current];
  const variable = 'LEDGER_MASTER_KEY_PREVIOUS';
  return [current, loadMasterKey({ base64: previousMasterKey, variable })];
}

/**
 * The keys of a data folder, newest first.
 * @param makes the keys to create if they are missing: the first one, and the next one for a key rotation
 * @throws MasterKeyError, and the file system's error
 */
export function loadKeyFiles(
  dataDir: string,
  makes: { readonly first: boolean; readonly next: boolean },
): Buffer[] {
  const currentFile = join(dataDir, CURRENT);
  const current = makes.first ? loadMasterKey({ file: currentFile }) : requireKeyFile(currentFile);
  const file = join(dataDir, NEXT);
  const next = makes.next ? loadMasterKey({ file }) : readMasterKey(file);
  return next === null ? [current] : [next, current];
}

export function hasKeyFile(dataDir: string): boolean {
  return existsSync(join(dataDir, CURRENT));
}

function requireKeyFile(file: string): Buffer {
  const key = readMasterKey(file);
  if (key !== null) return key;
  throw new MasterKeyError(
    `${file} is missing, and the database has secrets that it opens: put it back, or set LEDGER_MASTER_KEY ` +
      'to that key. If it is lost for good, replace it with `decision-ledger master-key reset --lost`',
  );
}

/** Replaces the former key by the new one. Nothing may be sealed under the former key. */
export function replaceKeyFile(dataDir: string): void {
  if (!existsSync(join(dataDir, NEXT))) return;
  renameSync(join(dataDir, NEXT), join(dataDir, CURRENT));
  syncFolder(dataDir);
}
