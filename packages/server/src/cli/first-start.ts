import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createOrganisation,
  type NewOrganisation,
  selectLedgers,
} from '../domains/organisations/index.js';
import type { Service } from '../service.js';

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
    writeKeys(join(dataDir, 'keys.json'), { live, test }),
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
