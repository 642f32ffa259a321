import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { loadMasterKey, readMasterKey, syncFolder } from '../secrets.js';

/** The keys in the environment, in base64. */
export interface GivenKeys {
  readonly masterKey: string | null;
  readonly previousMasterKey: string | null;
}

const CURRENT = 'master.key';
/** There while the key is changed. */
const NEXT = 'master.key.next';

/**
 * The keys of the environment, the newest first.
 * @throws MasterKeyError
 */
export function loadGivenKeys({ masterKey, previousMasterKey }: GivenKeys): Buffer[] {
  const current = loadMasterKey({ base64: masterKey ?? '' });
  if (previousMasterKey === null) return [current];
  const variable = 'LEDGER_MASTER_KEY_PREVIOUS';
  return [current, loadMasterKey({ base64: previousMasterKey, variable })];
}

/**
 * The keys of a data folder, the newest first. The first one is made where it is missing.
 * @param makesNext whether the key is to be changed: the one to change to is made where it is missing
 * @throws MasterKeyError, and the file system's error
 */
export function loadKeyFiles(dataDir: string, makesNext: boolean): Buffer[] {
  const current = loadMasterKey({ file: join(dataDir, CURRENT) });
  const file = join(dataDir, NEXT);
  const next = makesNext ? loadMasterKey({ file }) : readMasterKey(file);
  return next === null ? [current] : [next, current];
}

/** Puts the new key in the place of the former, which is gone then. Nothing may be sealed under that one. */
export function replaceKeyFile(dataDir: string): void {
  if (!existsSync(join(dataDir, NEXT))) return;
  renameSync(join(dataDir, NEXT), join(dataDir, CURRENT));
  syncFolder(dataDir);
}
