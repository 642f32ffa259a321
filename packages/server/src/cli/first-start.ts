import { access, constants, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@decision-ledger/embedded/engine-error';
import { folderError } from '@decision-ledger/embedded/folder-error';
import {
  createOrganisation,
  type NewOrganisation,
  selectLedgers,
} from '../domains/access/organisations/index.js';
import type { Service } from '../service.js';

const KEYS = 'keys.json';

/** Where the first keys are, for people: the file may have been deleted once there were others. */
export async function tellKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, KEYS);
  try {
    await access(file, constants.R_OK);
    return `Its first keys are in ${file}.`;
  } catch (error) {
    const isGone = systemCode(error) === 'ENOENT';
    const state = isGone ? 'is not there any more' : `cannot be read (${systemCode(error)})`;
    return `${file} ${state}; issue another key with: decision-ledger key create`;
  }
}

/**
 * Makes the organisation `default` of an embedded ledger that has none yet, and keeps its keys in
 * keys.json.
 * @returns null when there is an organisation already
 */
export async function prepareFirstStart(
  service: Service,
  dataDir: string,
): Promise<NewOrganisation | null> {
  if ((await selectLedgers(service.db)).length > 0) return null;
  // Written before the commit: no crash can leave an organisation whose keys nobody has.
  return createOrganisation(service, service.db, 'default', ({ live, test }) =>
    writeKeys(join(dataDir, KEYS), { live, test }).catch((error: unknown) => {
      throw folderError(dataDir, error);
    }),
  );
}

async function writeKeys(path: string, keys: { live: string; test: string }): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(keys)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
