import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { loadMasterKey, readMasterKey, syncFolder } from '../secrets.js';

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
 * The keys of a data folder, newest first. A missing first key is created.
 * @param makesNext whether to create the next key if it is missing, for a key rotation
 * @throws MasterKeyError, and the file system's error
 */
export function loadKeyFiles(dataDir: string, makesNext: boolean): Buffer[] {
  const current = loadMasterKey({ file: join(dataDir, CURRENT) });
  const file = join(dataDir, NEXT);
  const next = makesNext ? loadMasterKey({ file }) : readMasterKey(file);
  return next === null ? [current] : [next, current];
}

/** Replaces the former key by the new one. Nothing may be sealed under the former key. */
export function replaceKeyFile(dataDir: string): void {
  if (!existsSync(join(dataDir, NEXT))) return;
  renameSync(join(dataDir, NEXT), join(dataDir, CURRENT));
  syncFolder(dataDir);
}
