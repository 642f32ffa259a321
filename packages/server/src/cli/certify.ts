import { readConfig } from '../config.js';
import { requireRemembered } from '../domains/evidence/transparency/index.js';
import {
  InstallationError,
  readCertificate,
  setDamagedAside,
} from '../installation/certificate.js';
import { requireInstallation } from '../installation/require-installation.js';
import type { Service } from '../service.js';
import { withLedgers } from './open.js';
import { print, printJson } from './output.js';

/** Issues a missing or damaged certificate of the data folder again, from a database that has all it signed. */
export async function certify(options: { json?: boolean }): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const { damaged, ledgers } = await withLedgers((service) => issueAgain(service, dataDir), {
    opensUnaccepted: true,
    isAlone: true,
  });
  if (options.json === true) return printJson({ folder: dataDir, ledgers, damaged });
  if (damaged !== null) print(`The damaged certificate was kept as ${damaged}.`);
  print(`${dataDir}/installation.json certifies ${ledgers} ledgers.`);
}

async function issueAgain({ certificate, ...service }: Service, dataDir: string) {
  const isReadable = !isDamaged(dataDir);
  if (isReadable) await requireInstallation({ ...service, dataDir, needsCertificate: false });
  await requireRemembered(service, service.signedNotes);
  const damaged = isReadable ? null : setDamagedAside(dataDir);
  await certificate.issue();
  return { damaged, ledgers: readCertificate(dataDir)?.ledgers.length ?? 0 };
}

/** One that cannot be read is left to the permissions of the file. */
function isDamaged(dataDir: string): boolean {
  try {
    readCertificate(dataDir);
    return false;
  } catch (error) {
    if (error instanceof InstallationError && error.cause === undefined) return true;
    throw error;
  }
}
