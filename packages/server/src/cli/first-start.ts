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

/** Says where the first keys are stored, or why they are not there. */
export async function describeFirstKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, KEYS);
  try {
    await access(file, constants.R_OK);
    return `Its first keys are in ${file}.`;
  } catch (error) {
    const isGone = systemCode(error) === 'ENOENT';
    const state = isGone ? 'no longer exists' : `cannot be read (${systemCode(error)})`;
    return `${file} ${state}; issue another key with: decision-ledger key create`;
  }
}

/**
 * Creates the first organisation in an embedded database that has none, and stores its keys in
 * keys.json.
 * @returns null if there is an organisation already
 */
export async function prepareFirstStart(
  service: Service,
  dataDir: string,
  name = 'default',
): Promise<NewOrganisation | null> {
  if ((await selectLedgers(service.installation)).length > 0) return null;
  // The file is written before the commit, so a crash cannot leave an organisation without its keys.
  return createOrganisation(service, service.db, name, ({ live, test }) =>
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
